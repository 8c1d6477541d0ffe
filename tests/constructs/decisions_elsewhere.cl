int both(int a, int b) { return a && b; }
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int t[2] = {i || 0, sizeof(i && 1) > 0};
  int n = both(i > 1, i && i < 3), k;
  switch (i > 0 && n) { case 1: n += 10; }
  for (k = i && n; k < 2; k += (n || i) + 1) n += t[i && 1];
  (void)(i && n++);
  const int last = !(i && n) + -(i == 2 || n);
  out[i] = t[0] + 2 * t[1] + n + k + last;
}
// && and || where nothing branches on them. i = 0 to 3.
// Line 4: FF, T-, T-, T-; t is {0, 1} or {1, 1}. Line 5: F-, TT, TT, TF; line 1: F-, F-, TT, TF; n = 0, 0, 1, 0.
// Line 6: F-, TF, TT, TF; n = 0, 0, 11, 0. Line 7 begins with F-, TF, TT, TF; k = 0, 0, 1, 0. i = 0: two turns, t[0] is
// 0 (F-), n || i is FF, k = 1, 2. i = 1: t[1] is 1 (TT), n = 1, T-, k = 2. i = 2: n = 12, T-, k = 3. i = 3: as i = 1.
// Line 8: F-, TT, TT, TT; n = 0, 2, 13, 2. Line 9: F-, TT, TT, TT; then FF, FT, T-, FT.
// range: 4 2
// code: 1-11
// site: function 1 entered |
// site: condition 1 true, false |
// site: condition 1 true, false |
// site: decision 1 F- F, TF F, TT T |
// site: mcdc 1 1, 2 |
// site: function 2 entered |
// site: condition 4 true, false |
// site: condition 4 false | true
// site: decision 4 FF F, T- T | FT T
// site: mcdc 4 1 | 2
// site: condition 5 true, false |
// site: condition 5 true, false |
// site: decision 5 F- F, TF F, TT T |
// site: mcdc 5 1, 2 |
// site: switch 6 case 1, default |
// site: condition 6 true, false |
// site: condition 6 true, false |
// site: decision 6 F- F, TF F, TT T |
// site: mcdc 6 1, 2 |
// site: for 7 1, >1, boundary | 0
// site: condition 7 true, false |
// site: condition 7 true, false |
// site: condition 7 true, false |
// site: condition 7 true, false |
// site: condition 7 false | true
// site: condition 7 true, false |
// site: condition 7 true | false
// site: decision 7 F- F, TF F, TT T |
// site: mcdc 7 1, 2 |
// site: decision 7 FF F, T- T | FT T
// site: mcdc 7 1 | 2
// site: decision 7 F- F, TT T | TF F
// site: mcdc 7 1 | 2
// site: condition 8 true, false |
// site: condition 8 true | false
// site: decision 8 F- F, TT T | TF F
// site: mcdc 8 1 | 2
// site: condition 9 true, false |
// site: condition 9 true | false
// site: decision 9 F- F, TT T | TF F
// site: mcdc 9 1 | 2
// site: condition 9 true, false |
// site: condition 9 true, false |
// site: decision 9 FF F, FT T, T- T |
// site: mcdc 9 1, 2 |
// lines:
// findings: 0
