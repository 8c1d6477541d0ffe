__kernel void test(__global int *out) {
  int i = get_global_id(0), a = i ? 1 : 2, b = a > 1 ? a : i, *p = b ? &a : &b;
  for (int lo = 0, hi = i; lo < hi; lo++, hi--) out[i] += lo < hi ? 1 : 2;
  for (int k = i > 2 ? 1 : 0, n = 0; k < (i ? 1 : 3); k += i > 50 ? 2 : 1, n++) out[i] += n;
  int t[2] = {i > 1 ? 5 : 6, [1] = i > 2 ? 7 : 8};
  out[i] = out[i ? i : 0] + *p + t[i > 0 ? 1 : 0] * (i > 1 ? 10 : 1);
}
// ?: in declarators, loop headers, initialisers, indices; i = 0 to 3. Line 2: a is 2, 1, 1, 1 and b is 2, 1, 2, 3.
// Line 3: 0, 1, 1, 2 iterations, lo < hi in all. Line 4: k from 0 (from 1 for i = 3) to 1 (3 for i = 0): 3, 1, 1, 0.
// range: 4 2
// code: 1-7
// site: function 1 entered |
// site: conditional 2 true, false |
// site: conditional 2 true, false |
// site: conditional 2 true | false
// site: for 3 0, 1, >1, boundary |
// site: conditional 3 true | false
// site: for 4 0, 1, >1, boundary |
// site: conditional 4 true, false |
// site: conditional 4 true, false |
// site: conditional 4 false | true
// site: conditional 5 true, false |
// site: conditional 5 true, false |
// site: conditional 6 true, false |
// site: conditional 6 true, false |
// site: conditional 6 true, false |
// lines:
// findings: 0
