int scan(int wanted) {
  int n = 0;
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      if (a * 3 + b == wanted)
        goto found;
      n++;
    }
  }
  return -1;
found:
  return n;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = scan(i * 4);
}
// goto out of two loops; wanted = 0, 4, 8, 12. Line 3 iterations: 1, 2, 3, 3; line 4: 1 (0), 3 and 2 (4), …
// range: 4 2
// code: 1-17
// site: function 1 entered |
// site: for 3 1, >1, boundary | 0
// site: for 4 1, >1, boundary | 0
// site: if 5 true, false |
// site: function 14 entered |
// lines:
// findings: 0
