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
// lines: 6 12 14
// findings: 0
