// EXPECT: clean
// OPTS: --host conditional_of_numbers_clean.c
// WHY: both are strides
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
