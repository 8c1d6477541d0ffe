// EXPECT: race
// OPTS: --host case_range.c
// WHY: the case stands for 1 to 5: with 2 the stride is 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
