// EXPECT: race
// OPTS: --host default_member_value.cpp
// WHY: the member that the list does not name has its default value 3: n is 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
