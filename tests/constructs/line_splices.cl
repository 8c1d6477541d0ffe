__ker\
nel void te\
st(__global int *out) {
  int i = get_global_\
id(0);
  i\
f (i > 1) out[i] = 1; el\
se out[i] = 2;
  out[i] += i ? \
    4 \
    : 5;
  // a comment that goes on \
  if (i) out[i] = 1000;
  for (int k = 0; k < 2; k+\
+) out[i]++;
}
// Line splices in tokens; a token belongs to the line that it starts on. Lines 9 to 11 hold one ?:.
// range: 4 2
// code: 3-4 5-7 8-11 14-16
// site: function 2 entered |
// site: if 6 true, false |
// site: conditional 9 true, false |
// site: for 14 >1, boundary | 0, 1
// lines:
// findings: 0
