int sum(int n) {
  int s = 0;
  for (int k = 0; k < n; k++) {
    s += k;
  }
  while (n > 3) {
    n--;
    s ^= n;
  }
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = sum(i);
}
// Loops in a function that the kernel calls, n = 0 to 7.
// range: 8 4
// code: 1-15
// site: function 1 entered |
// site: for 3 0, 1, >1, boundary |
// site: while 6 0, 1, >1, boundary |
// site: function 12 entered |
// lines:
// findings: 0
