// No newline after a last line that is a directive.
// range: 4 2
// code: 5-7
// site: function 5 entered |
__kernel void test(__global int *out) {
  out[get_global_id(0)] = 3;
}
// lines:
// findings: 0
#define LAST