__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int a = i > 1 ?: 5;
  out[i] = a + (i ?: 7) + (0 ?: i);
}
// ?: without its middle (a GNU form that clang takes); the last one is never true.
// range: 4 2
// code: 1-5
// site: function 1 entered |
// site: conditional 3 true, false |
// site: conditional 4 true, false |
// site: conditional 4 false | true
// lines:
// findings: 0
// skip-if-build-fails
