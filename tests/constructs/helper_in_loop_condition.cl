int below(int k, int n) {
  return k < n ? 1 : 0;
}
int step(void) { return 1; }
__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  for (int k = 0; below(k, i); k += step())
    s += k;
  while (below(s, 2))
    s += step();
  out[i] = s;
}
// Helpers called in the condition and increment of loops; i = 0 to 3, s = 0, 0, 1, 3 before line 9.
// range: 4 2
// code: 1-12
// site: function 1 entered |
// site: conditional 2 true, false |
// site: function 4 entered |
// site: function 5 entered |
// site: for 7 0, 1, >1, boundary |
// site: while 9 0, 1, >1, boundary |
// lines:
// findings: 0
