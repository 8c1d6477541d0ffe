int find(int wanted) {
  for (int k = 0; k < 4; k++) {
    if (k == wanted)
      return k * 10;
  }
  return -1;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = find(i);
  int n = 0;
  while (1) {
    n++;
    if (n > i) return;
    out[i] += 100;
  }
}
// Return out of loops, in a helper and in the kernel.
// Work-items 0 to 5: line 2: 1 iteration for 0, more for the others; boundary: 4 and 5.
// range: 6 2
// code: 1-17
// site: function 1 entered |
// site: for 2 1, >1, boundary | 0
// site: if 3 true, false |
// site: function 8 entered |
// site: while 12 1, >1 | 0, boundary
// site: if 14 true, false |
// lines:
// findings: 0
