__kernel void test(__global int *out) {
  int i = get_global_id(0), n = 0;
#define A(x) if (i == x) n += x; n = i > x ? n + 1 : n;
#define B(x) A(x) A(x + 1) A(x + 2) A(x + 3)
  if (i == 0) n = 1; if (i == 1) n = 1; if (i == 2) n = 1; if (i == 3) n = 1; if (i == 4) n = 1; if (i == 5) n = 1;
  if (i == 0) n = 1; if (i == 1) n = 1; if (i == 2) n = 1; if (i == 3) n = 1; if (i == 4) n = 1; if (i == 5) n = 1;
  if (i == 0) n = 1; if (i == 1) n = 1; if (i == 2) n = 1; if (i == 3) n = 1; if (i == 4) n = 1; if (i == 5) n = 1;
  B(0) B(4)
  for (int k = 0; k < i; k++) n++;
  out[i] = n;
}
// More than 32 outcomes in a kernel; i = 0 to 3.
// range: 4 2
// code: 1-2 5-11
// site: function 1 entered |
// site: if 3 true, false |
// site: conditional 3 true, false |
// site: if 5 true, false |
// site: if 5 true, false |
// site: if 5 true, false |
// site: if 5 true, false |
// site: if 5 false | true
// site: if 5 false | true
// site: if 6 true, false |
// site: if 6 true, false |
// site: if 6 true, false |
// site: if 6 true, false |
// site: if 6 false | true
// site: if 6 false | true
// site: if 7 true, false |
// site: if 7 true, false |
// site: if 7 true, false |
// site: if 7 true, false |
// site: if 7 false | true
// site: if 7 false | true
// site: for 9 0, 1, >1, boundary |
// lines:
// findings: 0
