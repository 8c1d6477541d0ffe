// EXPECT: race
// OPTS: --host cpp_function_gives_reference.cpp
// WHY: the call is n
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
