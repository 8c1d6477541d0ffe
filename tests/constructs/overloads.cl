int __attribute__((overloadable)) pick(int x) { return x > 1 ? 1 : 2; }
int __attribute__((overloadable)) pick(float x) { return x > 1.5f ? 3 : 4; }
int __attribute__((overloadable)) pick(int x, int y);
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = pick(i) + pick(1.0f) + pick(i, 3);
}
int __attribute__((overloadable)) pick(int x, int y) {
  if (x == y)
    return pick((float)x);
  return 0;
}
// Overloaded helpers and a declaration before the definition.
// range: 4 2
// code: 1-2 4-12
// site: function 1 entered |
// site: conditional 1 true, false |
// site: function 2 entered |
// site: conditional 2 true, false |
// site: function 4 entered |
// site: function 8 entered |
// site: if 9 true, false |
// lines:
// findings: 0
