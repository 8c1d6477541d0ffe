// EXPECT: clean
// OPTS: --host image_plain_clean.c
// WHY: an image of its own and a buffer do not meet
kernel void k(global int *a, write_only image1d_t im) { a[get_global_id(0)] = 1; write_imagei(im, 255 - get_global_id(0), (int4)(2)); }
