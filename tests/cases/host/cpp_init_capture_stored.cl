// EXPECT: race
// OPTS: --host cpp_init_capture_stored.cpp
// WHY: the lambda sets n later
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
