// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the whole structure is written back: the other member, too, which another work-item changes
typedef struct { int a, b; } pair;
kernel void k(global pair *g) {
  uint i = get_local_id(0);
  if (i == 1) g[0].b = 5;
  if (i == 2) { pair t; t.a = 1; t.b = 7; g[0] = t; }
}
