int yes(int x) { return x > 2; }
__kernel void test(__global int *out) {
  int i = get_global_id(0), n = 0;
  if (i > 0 && yes(i)) n += 1;
  if (i > 50
      && yes(i)
      || i == 1)
    n += 2;
  int b = !(i && !n) || (n = 7, n > 100);
  while (n < i && n++ < 2) ;
  if (i > 60 &&
      yes(i)
      )
    n += 4;
  out[i] = n * 2 + b;
}
// &&, ||, ! with side effects; a right operand on a line of its own that is never evaluated.
// i = 0 to 3: n = 0, 2, 0, 1 before line 9 (yes(3) only); 0, 2, 7, 1 before line 10, which is left at once for i <= 2 and
// after one round (1 < 2, then not 2 < 2) for i = 3.
// range: 4 2
// code: 1-16
// site: function 1 entered |
// site: function 2 entered |
// site: if 4 true, false |
// site: if 5 true, false |
// site: while 10 0, 1, boundary | >1
// site: if 11 false | true
// The way of each work-item, i = 0 to 3. Line 4: F-, TF, TF, TT. Line 5 (i > 50, yes(i), i == 1): F-F, F-T, F-F, F-F.
// Line 9 (i, n, n > 100): F--, TT-, TFF, TT-. Line 10: F-; F-; F-; TT, then TF. Line 11: F- always.
// site: condition 4 true, false |
// site: condition 4 true, false |
// site: decision 4 F- F, TF F, TT T |
// site: mcdc 4 1, 2 |
// site: condition 5 false | true
// site: condition 6 | true, false
// site: condition 7 true, false |
// site: decision 5 F-T T, F-F F | TT- T, TFT T, TFF F
// site: mcdc 5 3 | 1, 2
// site: condition 9 true, false |
// site: condition 9 true, false |
// site: condition 9 false | true
// site: decision 9 F-- T, TT- T, TFF F | TFT T
// site: mcdc 9 1, 2 | 3
// site: condition 10 true, false |
// site: condition 10 true, false |
// site: decision 10 F- F, TT T, TF F |
// site: mcdc 10 1, 2 |
// site: condition 11 false | true
// site: condition 12 | true, false
// site: decision 11 F- F | TF F, TT T
// site: mcdc 11 | 1, 2
// lines: 6 12 14
// findings: 0
