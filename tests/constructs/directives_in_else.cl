__kernel void test(__global int *out) {
  int i = get_global_id(0), r;
  if (i == 0)
    r = 1;
#ifdef MORE
  else if (i == 1)
    r = 2;
#endif
  else
    r = 3;
  out[i] = r
#if MORE > 1
           + (i > 2 ? 10 : 20)
#endif
           + 100;
#ifdef MORE
  for (int k = 0; k < i; k++) {
#else
  {
#endif
    out[i]++;
  }
}
// Directives between if and else, in an expression, around half a loop.
// options: -DMORE=2
// range: 4 2
// code: 1-4 6-7 9-11 13 15 17 21-23
// site: function 1 entered |
// site: if 3 true, false |
// site: if 6 true, false |
// site: conditional 13 true, false |
// site: for 17 0, 1, >1, boundary |
// lines:
// findings: 0
