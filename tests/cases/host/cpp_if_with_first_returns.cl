// EXPECT: race
// OPTS: --host cpp_if_with_first_returns.cpp
// WHY: the function returns 0 out of an if with a variable of its own
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
