// EXPECT: race
// OPTS: --host cpp_temporary_destructor.cpp
// WHY: a temporary sets n when the statement ends
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
