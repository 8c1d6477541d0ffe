// EXPECT: race
// OPTS: --host anonymous_union.c
// WHY: s.m is s.n
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
