// EXPECT: clean
// OPTS: --host memory_of_the_system_twice_clean.c
// WHY: two memories
kernel void k(global int *a, global int *b) { a[get_global_id(0)] = b[get_global_id(0) + 1]; }
