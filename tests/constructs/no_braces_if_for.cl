__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int s = 0;
  for (int k = 0; k < i; k++) if (k & 1) s += k; else s -= k;
  if (i) for (int k = 3; k > i; k--) s += 7;
  while (s > 20) if (s & 1) s -= 3; else s /= 2;
  for (int a = 0; a < 2; a++) for (int b = 0; b < i; b++) s++;
  out[i] = s;
}
// if in for, for in if, if in while, for in for, each on one line; i = 0 to 3: s stays below 20.
// range: 4 2
// code: 1-9
// site: function 1 entered |
// site: for 4 0, 1, >1, boundary |
// site: if 4 true, false |
// site: if 5 true, false |
// site: for 5 0, 1, >1, boundary |
// site: while 6 0, boundary | 1, >1
// site: if 6 | true, false
// site: for 7 >1, boundary | 0, 1
// site: for 7 0, 1, >1, boundary |
// lines:
// findings: 0
