// EXPECT: race
// OPTS: --host cpp_member_with_constructor.cpp
// WHY: the member that the list leaves out is constructed: 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
