// EXPECT: race
// OPTS: --host default_member_value_empty_list.cpp
// WHY: the empty list leaves the default value
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
