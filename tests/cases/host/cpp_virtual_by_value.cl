// EXPECT: race
// OPTS: --host cpp_virtual_by_value.cpp
// WHY: the object is of the derived class
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
