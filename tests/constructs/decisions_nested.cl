int odd(int x) { return x & 1; }
__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  if ((i < 1 || i > 2) && !(i == 3 && s == 0)) s = 1;
  if (i > 0 && (i > 1 ? i == 2 : i < 9)) s += 2;
  int both = (i >= 1 && odd(i)) + (i >= 2 || odd(i));
  s += both ? 4 : (i == 0 && s == 1) ? 8 : 16;
  if ((i && s) == 0) s += 32;
  if (!(i == 0 || i == 1)) s += 64;
  while (!(s > 200 || i++ > 100)) s += 100;
  if (i > 0, s > 0 && i > 1) s++;
  out[get_global_id(0)] = s;
}
// Decisions in decisions. i = 0 to 3.
// Line 4 (i < 1, i > 2, i == 3, s == 0), s = 0: T-F- ends true; FF-- false; FF-- false; FTTT: !(true), false.
// s = 1, 0, 0, 0.
// Line 5 (i > 0, ?:): F-; T and i > 1 false, i < 9 true: TT; T and i > 1 true, i == 2 true: TT; i == 2 false: TF.
// s = 1, 2, 2, 0. The condition of the ?: is one by itself.
// Line 6, first: F-; TT; TF; TT. Second: FF; FT; T-; T-. both = 0, 2, 1, 2.
// Line 7: both is false for i = 0 alone; then i == 0 and s == 1: TT. s = 9, 6, 6, 4.
// Line 8: i && s: F-; TT; TT; TT. Equal to 0 for i = 0: s = 41, 6, 6, 4.
// Line 9 (i == 0, i == 1): T- ends true; FT; FF; FF. The if is taken for FF: s = 41, 6, 70, 68.
// Line 10: s > 200, i++ > 100: FF until s > 200: T-. s = 241, 206, 270, 268; i = 2, 3, 4, 5: more than one turn each.
// Line 11: s > 0, i > 1: TT. What stands before the comma is no condition; the whole of it decides the if.
// range: 4 2
// code: 1-13
// site: function 1 entered |
// site: function 2 entered |
// site: if 4 true, false |
// site: condition 4 true, false |
// site: condition 4 true, false |
// site: condition 4 true, false |
// site: condition 4 true | false
// site: decision 4 T-F- T, FF-- F, FTTT F | T-TT F, T-TF T, FTF- T, FTTF T
// site: mcdc 4 1 | 2, 3, 4
// site: if 5 true, false |
// site: condition 5 true, false |
// site: condition 5 true, false |
// site: decision 5 F- F, TT T, TF F |
// site: mcdc 5 1, 2 |
// site: conditional 5 true, false |
// site: condition 5 true, false |
// site: condition 6 true, false |
// site: condition 6 true, false |
// site: decision 6 F- F, TT T, TF F |
// site: mcdc 6 1, 2 |
// site: condition 6 true, false |
// site: condition 6 true, false |
// site: decision 6 FF F, FT T, T- T |
// site: mcdc 6 1, 2 |
// site: conditional 7 true, false |
// site: condition 7 true, false |
// site: conditional 7 true | false
// site: condition 7 true | false
// site: condition 7 true | false
// site: decision 7 TT T | F- F, TF F
// site: mcdc 7 | 1, 2
// site: if 8 true, false |
// site: condition 8 true, false |
// site: condition 8 true | false
// site: condition 8 true, false |
// site: decision 8 F- F, TT T | TF F
// site: mcdc 8 1 | 2
// site: if 9 true, false |
// site: condition 9 true, false |
// site: condition 9 true, false |
// site: decision 9 T- T, FT T, FF F |
// site: mcdc 9 1, 2 |
// site: while 10 >1, boundary | 0, 1
// site: condition 10 true, false |
// site: condition 10 false | true
// site: decision 10 T- T, FF F | FT T
// site: mcdc 10 1 | 2
// site: if 11 true | false
// site: condition 11 true | false
// site: condition 11 true | false
// site: condition 11 true | false
// site: decision 11 TT T | F- F, TF F
// site: mcdc 11 | 1, 2
// lines:
// findings: 0
