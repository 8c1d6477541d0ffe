// EXPECT: race
// OPTS: --host cpp_std_max_reference.cpp
// WHY: the larger of two is a reference to n
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
