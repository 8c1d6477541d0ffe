// EXPECT: race
// OPTS: --host cpp_conditional_is_assigned.cpp
// WHY: the conditional names n or m: n may become 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
