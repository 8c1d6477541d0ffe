// EXPECT: race
// OPTS: --host const_struct_of_pointers.cpp
// WHY: n is 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
