// EXPECT: race
// OPTS: --host pointer_in_union.c
// WHY: the pointer is read as another member
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
