// EXPECT: clean
// OPTS: --host pointer_to_struct_clean.c
// WHY: the member is set through the pointer
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
