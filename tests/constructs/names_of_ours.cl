#define CLTC_LOOP(x) ((x) + 1)
#define CLTC_STORE1 5
typedef struct { int f0_0; } cltc_context;
int cltc_add(int cltc, cltc_context c) { return cltc ? cltc + c.f0_0 : CLTC_LOOP(cltc); }
__kernel void test(__global int *out, int cltc_flags) {
  cltc_context cltc_c = {CLTC_STORE1};
  int cltc = get_global_id(0), cltc_v0 = 2;
  for (int cltc_n1 = 0; cltc_n1 < cltc; cltc_n1++) cltc_v0++;
  out[cltc] = cltc_add(cltc, cltc_c) + cltc_v0 + cltc_flags;
}
// A program that uses the names that instrumentation uses.
// range: 4 2
// args: int 100
// code: 4-10
// site: function 4 entered |
// site: conditional 4 true, false |
// site: function 5 entered |
// site: for 8 0, 1, >1, boundary |
// lines:
// findings: 0
