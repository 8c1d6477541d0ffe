// EXPECT: race
// OPTS: --host memory_of_the_system.c
// RESTS: are different memory
// WHY: both buffers are the host's memory at one address
kernel void k(global int *a, global int *b) { a[get_global_id(0)] = b[get_global_id(0) + 1]; }
