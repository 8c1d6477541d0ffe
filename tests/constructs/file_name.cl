#include <name.h>
#define NAME __FILE__
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = (int)sizeof(NAME) * 1000 + header_name[i];
}
// The device's compiler has names of its own for the source and for headers; they are the same under coverage.
// options: -I include
// range: 4 2
// code: 3-6
// site: function 3 entered |
// lines:
// findings: 0
