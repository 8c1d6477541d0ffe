// EXPECT: race
// OPTS: --host cpp_destructor_changes.cpp
// WHY: the guard sets the number back when its block ends
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
