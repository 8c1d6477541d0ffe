// EXPECT: race
// RESTS: different memory
// OPTS: --host image_of_buffer.c
// WHY: the image is made of the buffer: pixel and element are one memory
kernel void k(global int *a, write_only image1d_buffer_t im) { a[get_global_id(0)] = 1; write_imagei(im, 255 - get_global_id(0), (int4)(2)); }
