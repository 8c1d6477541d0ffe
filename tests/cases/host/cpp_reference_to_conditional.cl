// EXPECT: race
// OPTS: --host cpp_reference_to_conditional.cpp
// WHY: the reference is n or m
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
