// EXPECT: clean
// OPTS: --host memory_of_two_host_pointers_clean.c
// WHY: two arrays
kernel void shift(global const int *a, global int *b) { b[get_global_id(0)] = a[get_global_id(0) + 1]; }
