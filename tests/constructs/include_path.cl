#include "outer_header.h"
#include <outer_header.h>
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = from_header(i) + PICK(i, 0);
}
// A header found by -I, which includes another one; a site in a macro of the header.
// options: -I include
// range: 4 2
// header: include/outer_header.h include/inner/inner_header.h
// code: 3-6 include/outer_header.h:6-10 include/inner/inner_header.h:2-6
// site: conditional include/outer_header.h:5 true, false |
// site: function include/outer_header.h:6 entered |
// site: if include/outer_header.h:7 true, false |
// site: function include/inner/inner_header.h:2 entered |
// site: while include/inner/inner_header.h:3 0, boundary | 1, >1
// site: function 3 entered |
// lines: include/inner/inner_header.h:4
// findings: 0
