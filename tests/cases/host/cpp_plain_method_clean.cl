// EXPECT: clean
// OPTS: --host cpp_plain_method_clean.cpp
// WHY: the method is not virtual
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
