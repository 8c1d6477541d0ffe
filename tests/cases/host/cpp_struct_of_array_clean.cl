// EXPECT: clean
// OPTS: --host cpp_struct_of_array_clean.cpp
// WHY: the members that are left out are 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
