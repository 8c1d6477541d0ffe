// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: each work-item has its own copy of the structure
typedef struct { int a[4]; } four;
kernel void k(global ulong *a, four s) { s.a[get_local_id(0) & 3] = 1; a[0] = (ulong)&s; }
