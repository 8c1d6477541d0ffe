// EXPECT: possible-ok
// RESTS: different memory
// OPTS: --host memory_of_one_host_pointer.c
// WHY: both buffers are made of one array of the host: what commands on both do is not defined
kernel void shift(global const int *a, global int *b) { b[get_global_id(0)] = a[get_global_id(0) + 1]; }
