// EXPECT: race
// OPTS: --host pointer_by_printf.c
// WHY: printf counts what it has printed: nothing
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
