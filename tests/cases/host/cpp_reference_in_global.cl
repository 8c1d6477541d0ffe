// EXPECT: race
// OPTS: --host cpp_reference_in_global.cpp
// WHY: the reference in program scope is n
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
