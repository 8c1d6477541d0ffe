__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  if (i >= 1 && i < 6) s = 1;
  if (i > 100 && (i < 6 - 1)) s = 2;
  if ((i >= 0) && i * 2 < 8) { s += 4; } else { s += 8; }
  if (i < 6 && i != 3) return;
  out[i] = s;
}
// Two tests of one variable, i = 0 to 7. Line 3: 0 fails the first test, 6 and 7 the second. Line 4: the second one is
// never evaluated. Line 5: the first one never fails. Line 6: 3 fails the second, 6 and 7 the first.
// range: 8 4
// code: 1-8
// site: function 1 entered |
// site: if 3 true, false |
// site: condition 3 true, false |
// site: condition 3 true, false |
// site: decision 3 TT T, F- F, TF F |
// site: mcdc 3 1, 2 |
// site: if 4 false | true
// site: condition 4 false | true
// site: condition 4 | true, false
// site: decision 4 F- F | TT T, TF F
// site: mcdc 4 | 1, 2
// site: if 5 true, false |
// site: condition 5 true | false
// site: condition 5 true, false |
// site: decision 5 TT T, TF F | F- F
// site: mcdc 5 2 | 1
// site: if 6 true, false |
// site: condition 6 true, false |
// site: condition 6 true, false |
// site: decision 6 TT T, F- F, TF F |
// site: mcdc 6 1, 2 |
// lines:
// findings: 0
