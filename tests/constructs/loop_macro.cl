#define FOR(i, n) for (int i = 0; i < (n); i++)
#define EACH(i) FOR(i, 2)
__kernel void test(__global int *out) {
  int g = get_global_id(0), s = 0;
  FOR(a, g) FOR(b, 2) s += a + b;
  FOR(a, 1) { FOR(b, a) { s += 1000; } }
  EACH(x) EACH(y) if (x == y) s++;
  out[g] = s;
}
// Loop macros nested on one line: one site at the definition, evidence of all uses together; g = 0 to 3.
// range: 4 2
// code: 3-9
// site: for 1 0, 1, >1, boundary |
// site: function 3 entered |
// site: if 7 true, false |
// lines:
// findings: 0
