// EXPECT: clean
// OPTS: --local 4 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: each writes a level of its own
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
kernel void k(write_only image2d_t im) { write_imagei(im, (int2)(0, 0), (int)get_global_id(0), (int4)(1)); }
