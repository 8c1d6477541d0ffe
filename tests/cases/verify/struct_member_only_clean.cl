// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: only the other member is read
typedef struct { int a, b; } pair;
kernel void k(global pair *g, global int *out) {
  if (get_local_id(0) == 1) g[0].b = 5;
  int t = g[0].a;
  out[get_global_id(0)] = t;
}
