// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the assignment reads the whole structure, while another work-item writes its other member
typedef struct { int a, b; } pair;
kernel void k(global pair *g, global int *out) {
  uint i = get_local_id(0);
  if (i == 1) g[0].b = 5;
  pair t = g[0];
  out[get_global_id(0)] = t.a;
}
