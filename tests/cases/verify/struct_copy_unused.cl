// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the structure is read, though nobody uses it
typedef struct { int a, b, c; } three;
kernel void k(global three *g, global int *out) {
  uint i = get_local_id(0);
  if (i == 1) g[0].b = 5;
  three t = g[0];
  out[get_global_id(0)] = 1;
}
