__kernel void test(__global int *out) {
  int i = get_global_id(0);
#if MODE == 1
  if (i > 1)
    out[i] = 1;
#elif defined(MODE) && MODE > 1
  for (int k = 0; k < i; k++)
    out[i] += k;
#else
  out[i] = i ? 3 : 4;
#endif
#ifndef MODE
  if (i) out[i]++;
#endif
}
// Three builds with other options; evidence of all together. The #else variant is built without MODE.
// options: -DMODE=1
// options: -D MODE=2
// options:
// range: 4 2
// code: 1-2 4-5 7-8 10 13 15
// site: function 1 entered |
// site: if 4 true, false |
// site: for 7 0, 1, >1, boundary |
// site: conditional 10 true, false |
// site: if 13 true, false |
// lines:
// findings: 0
