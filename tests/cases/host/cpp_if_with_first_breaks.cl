// EXPECT: race
// OPTS: --host cpp_if_with_first_breaks.cpp
// WHY: the loop is left before the number is set
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
