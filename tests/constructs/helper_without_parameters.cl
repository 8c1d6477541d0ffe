int one() { return 1; }
int two(void) {
  if (get_global_id(0) > 1) return 2;
  return -2;
}
void nothing(void) {}
__kernel void test(__global int *out) {
  nothing();
  out[get_global_id(0)] = one() + two();
}
// Helpers with an empty parameter list, with (void), with an empty body.
// range: 4 2
// code: 1-10
// site: function 1 entered |
// site: function 2 entered |
// site: if 3 true, false |
// site: function 6 entered |
// site: function 7 entered |
// lines:
// findings: 0
