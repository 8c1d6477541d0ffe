__kernel void test(__global int *out) {
  int i = get_global_id(0), n = i;;
  if (n > 1) ; else n += 10;
  if (n == 2);
  for (; n > 12; n--);
  while (n-- > 10)
    ;
  do ; while (n++ < 3);
  {} {;}
  out[i] = n;
  ;
}
// Empty statements as bodies; i = 0 to 3: n = 10, 11, 2, 3 before line 4; line 5 never runs; line 6 leaves 9, 9, 1, 2
// after 0, 1, 0, 0 rounds; line 8: once for 9, more often for 1 and 2.
// range: 4 2
// code: 1-12
// site: function 1 entered |
// site: if 3 true, false |
// site: if 4 true, false |
// site: for 5 0, boundary | 1, >1
// site: while 6 0, 1, boundary | >1
// site: do 8 1, >1, boundary |
// lines:
// findings: 0
