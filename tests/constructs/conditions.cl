__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  __global int *none = i < 0 ? out : 0;
  if (!(i == 2)) s += 1;
  if (!!((s))) s += 2;
  if (none) s += 4;
  if (0.5f * (i & 1)) s += 8;
  s += !(i > 1) ? 16 : 32;
  s += i - 3 ?: 64;
  for (int k = 0; !(k >= i); k++) s += 128;
  for (int k = 0;; k++) if (k > i) break;
  do s += 1024; while ((s & 1024) == 0);
  do i++; while (!(i >= 2));
  int4 v = (int4)(i) > 2 ? (int4)(1) : (int4)(2);
  int4 u = v && (int4)(i, 0, 0, 0);
  switch (v.x) { case 1: s++; }
  out[get_global_id(0)] = s + v.x + u.x;
}
// Conditions that are decisions by themselves: what decides tells how they were seen; without `!` and parentheses.
// i = 0 to 3. Line 5: s is 1, 1, 0, 1. Line 7: 0.5 where i is odd. Line 9: -3, -2, -1, 0. Line 10: seen true (k >= i) by
// all at the end, seen false by i > 0. Line 11: k > i false, then true. Line 12: the bit is set after one turn (1024 is
// added to less than 1024). Line 13: i becomes 1, 2; 2; 3; 4: i >= 2 is false once for i = 0. Then i = 2, 2, 3, 4.
// Vectors have no conditions, a switch has none.
// range: 4 2
// code: 1-18
// site: function 1 entered |
// site: conditional 3 false | true
// site: condition 3 false | true
// site: if 4 true, false |
// site: condition 4 true, false |
// site: if 5 true, false |
// site: condition 5 true, false |
// site: if 6 false | true
// site: condition 6 false | true
// site: if 7 true, false |
// site: condition 7 true, false |
// site: conditional 8 true, false |
// site: condition 8 true, false |
// site: conditional 9 true, false |
// site: condition 9 true, false |
// site: for 10 0, 1, >1, boundary |
// site: condition 10 true, false |
// site: for 11 >1 | 1
// site: if 11 true, false |
// site: condition 11 true, false |
// site: do 12 1, boundary | >1
// site: condition 12 false | true
// site: do 13 1, >1, boundary |
// site: condition 13 true, false |
// site: conditional 14 true, false |
// site: switch 16 case 1, default |
// lines:
// findings: 0
