// EXPECT: race
// OPTS: --host options_of_the_user.c
// RESTS: kernels are built with the options
// WHY: the options are those of the user, -DSTRIDE=0 maybe
#ifndef STRIDE
#define STRIDE n
#endif
kernel void k(global int *a, int n) { a[get_global_id(0) * STRIDE] = get_global_id(0) + 1000 * get_global_id(1); }
