__kernel void test(__global int *out) {
  int i = get_global_id(0), n = 0;
  for (;;) {
    if (n >= i) break;
    n++;
  }
  for (int k = 0;; k++)
    if (k > 2)
      break;
  for (;;) break;
  for (; n < 0;) n++;
  out[i] = n;
}
// Loops without a condition have no case 0 and no boundary; the one after a break counts. i = 0 to 2.
// range: 3 3
// code: 1-13
// site: function 1 entered |
// site: for 3 1, >1 |
// site: if 4 true, false |
// site: for 7 >1 | 1
// site: if 8 true, false |
// site: for 10 1 | >1
// site: for 11 0, boundary | 1, >1
// lines:
// findings: 0
