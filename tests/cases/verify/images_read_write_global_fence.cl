// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0
// WHY: the fence is for global memory, not for images: nothing orders the write of pixel (0, row) and the read of it by work-item 15.
kernel void mirror(read_write image2d_t im, global uint *out, int row) {
  const int x = get_global_id(0);
  const uint4 was = read_imageui(im, (int2)(x, row + 1));
  write_imageui(im, (int2)(x, row), was + 1);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  out[x] = read_imageui(im, (int2)(15 - x, row)).y;
}
