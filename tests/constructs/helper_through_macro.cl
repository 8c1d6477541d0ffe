int limit(int x) {
  if (x > 2)
    return 2;
  return x;
}
int zero(void) { return 0; }
#define LIMIT(x) limit((x) + 1)
#define CALL(f, x) f(x)
#define ZERO zero
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = LIMIT(i) + CALL(limit, i) + ZERO() + (limit(i));
}
// Calls through macros, with the function as an argument.
// range: 4 2
// code: 1-6 10-13
// site: function 1 entered |
// site: if 2 true, false |
// site: function 6 entered |
// site: function 10 entered |
// lines:
// findings: 0
