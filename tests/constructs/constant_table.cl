#define BIG(x) ((x) > 2 ? (x) : 0)
__constant int table[4] = {BIG(1), BIG(3), sizeof(int) == 4 ? 40 : 80, 1 ? 2 : 3};
constant float weights[] = {0.5f, 1 > 0 ? 1.5f : 2.5f};
int look(__constant int *t, int i) { return t[i & 3]; }
__kernel void test(__global int *out) {
  __constant int *p = table;
  int i = get_global_id(0);
  out[i] = look(p, i) + table[1] + convert_int(weights[1] * 2);
}
// ?: in initialisers of __constant tables is decided by the compiler: no site.
// range: 4 2
// code: 4-9
// site: function 4 entered |
// site: function 5 entered |
// lines:
// findings: 0
