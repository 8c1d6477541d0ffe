// EXPECT: race
// OPTS: --host cpp_anonymous_union.cpp
// WHY: a local union without a name
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
