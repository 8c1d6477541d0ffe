// EXPECT: race
// OPTS: --host cpp_array_with_default.cpp
// WHY: the array of the member begins with a 1
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
