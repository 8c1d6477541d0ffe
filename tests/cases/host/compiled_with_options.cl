// EXPECT: race
// OPTS: --host compiled_with_options.c
// RESTS: kernels are built with the options
// WHY: the program is linked from one that was compiled with a stride of 0
#ifndef STRIDE
#define STRIDE n
#endif
kernel void k(global int *a, int n) { a[get_global_id(0) * STRIDE] = get_global_id(0) + 1000 * get_global_id(1); }
