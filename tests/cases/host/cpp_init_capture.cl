// EXPECT: race
// OPTS: --host cpp_init_capture.cpp
// WHY: the lambda sets n by another name
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
