// EXPECT: race
// OPTS: --host pointer_of_table.c
// WHY: the table has the address
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
