// EXPECT: race
// OPTS: --host cpp_std_swap.cpp
// WHY: the two change places
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
