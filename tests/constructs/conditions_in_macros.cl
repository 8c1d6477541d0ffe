#define INSIDE(x, n) ((x) >= 0 && (x) < (n))
#define POSITIVE(x) (x > 0)
#define CHECK(c) if (c) s += 1
#define BOTH(a, b) ((a) && (b))
#define SELF (i == 1)
__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  if (INSIDE(i, 2)) s += 2;
  s += INSIDE(i - 1, 9) ? 4 : 0;
  if (POSITIVE(i) || POSITIVE(i - 1)) s += 8;
  CHECK(i == 3);
  CHECK(i < 5 && s > 2);
  s += BOTH(i > 1, i < 3) + BOTH(SELF, s);
  while (SELF && s < 100) s += 50;
  out[i] = s;
}
// A decision is where its operator is written, a condition where its own operator is: in a macro's body once for all
// uses, in an argument there. i = 0 to 3.
// INSIDE: line 8 TT, TT, TF, TF; line 9 (i - 1) F-, TT, TT, TT. s = 2, 6, 4, 4.
// Line 10: FF, T-, T-, T-. POSITIVE is one condition although both operands are made of it. s = 2, 14, 12, 12.
// Line 11: taken by i = 3. Line 12: s > 2 is false for i = 0. s = 2, 15, 13, 14.
// BOTH: F-, F-, TT, TF; then F-, TT, F-, F-. s = 2, 16, 14, 14.
// Line 14: F-; TT (16), TT (66), TF (116); F-; F-.
// range: 4 2
// code: 6-16
// site: condition 1 true, false |
// site: condition 1 true, false |
// site: decision 1 F- F, TF F, TT T |
// site: mcdc 1 1, 2 |
// site: condition 2 true, false |
// site: if 3 true, false |
// site: decision 4 F- F, TF F, TT T |
// site: mcdc 4 1, 2 |
// site: condition 5 true, false |
// site: function 6 entered |
// site: if 8 true, false |
// site: conditional 9 true, false |
// site: if 10 true, false |
// site: decision 10 FF F, T- T | FT T
// site: mcdc 10 1 | 2
// site: condition 11 true, false |
// site: condition 12 true | false
// site: condition 12 true, false |
// site: decision 12 TF F, TT T | F- F
// site: mcdc 12 2 | 1
// site: condition 13 true, false |
// site: condition 13 true, false |
// site: condition 13 true | false
// site: while 14 0, >1, boundary | 1
// site: condition 14 true, false |
// site: decision 14 F- F, TT T, TF F |
// site: mcdc 14 1, 2 |
// lines:
// findings: 0
