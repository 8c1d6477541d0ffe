__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  for (int k = 0; k < 4; k++) {
    if (k == i)
      continue;
    if (k > i + 1)
      break;
    s += k;
  }
  int n = 0;
  do {
    n++;
    if (n == 2) continue;
    if (n > i) break;
    s += 10;
  } while (n < 3);
  while (n > 0) {
    n--;
    continue;
    s = 1000;
  }
  out[i] = s;
}
// continue, break, code after continue. i = 0 to 3: line 3: 3, 4, 4 and 4 iterations; its condition ends it for 2 and 3.
// Line 11: 1 (i = 0), 3 (n = 1: on; n = 2: to the condition; n = 3), … , ended by its condition for i = 3.
// range: 4 2
// code: 1-23
// site: function 1 entered |
// site: for 3 >1, boundary | 0, 1
// site: if 4 true, false |
// site: if 6 true, false |
// site: do 11 1, >1, boundary |
// site: if 13 true, false |
// site: if 14 true, false |
// site: while 17 1, >1, boundary | 0
// lines: 20
// findings: 0
