// EXPECT: clean
// OPTS: --local 16,16 --groups 2,2
// BUILD: -cl-std=CL2.0
// WHY: the work-items write to different levels
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
kernel void k(write_only image2d_t img) {
  int2 c = (int2)(get_global_id(0) / 2, get_global_id(1));
  int lod = get_global_id(0) & 1;
  write_imagef(img, c, lod, (float4)(lod));
}
