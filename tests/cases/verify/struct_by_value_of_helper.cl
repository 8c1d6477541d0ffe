// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the helper takes the structure by value: it is read as a whole
typedef struct { int a, b, c, d, e, f, g, h; } big;
static int first(big x) { return x.a; }
kernel void k(global big *g, global int *out) {
  if (get_local_id(0) == 1) g[0].h = 5;
  out[get_global_id(0)] = first(g[0]);
}
