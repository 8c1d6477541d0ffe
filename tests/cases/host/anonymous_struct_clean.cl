// EXPECT: clean
// OPTS: --host anonymous_struct_clean.c
// WHY: n and m are two members
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
