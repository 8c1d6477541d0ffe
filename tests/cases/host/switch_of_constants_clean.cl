// EXPECT: clean
// OPTS: --host switch_of_constants_clean.c
// WHY: each case gives a stride that is not 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
