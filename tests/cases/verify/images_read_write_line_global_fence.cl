// EXPECT: race
// OPTS: --local 8 --groups 1
// BUILD: -cl-std=CL2.0
// WHY: only CLK_IMAGE_MEM_FENCE orders accesses of a read_write image; the barrier names global memory. Work-item 0 writes pixel 0, work-item 7 reads it.
kernel void turn(read_write image1d_t line, global float *out) {
  const int i = get_local_id(0);
  write_imagef(line, i, (float4)(i));
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = read_imagef(line, 7 - i).x;
}
