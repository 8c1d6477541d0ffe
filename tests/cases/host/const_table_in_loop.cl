// EXPECT: race
// OPTS: --host const_table_in_loop.cpp
// WHY: the second of the functions sets 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
