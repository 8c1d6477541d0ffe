// EXPECT: clean
// OPTS: --local 8 --groups 2 --assume 'get_global_offset(0) == 0'
// BUILD: -cl-std=CL2.0
// WHY: the barrier names images, and each group reads only pixels that it has written.
kernel void shift(read_write image1d_t row, global int *out) {
  const int i = get_global_id(0), first = get_group_id(0) * get_local_size(0);
  write_imagei(row, i, (int4)(i));
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[i] = i > first ? read_imagei(row, i - 1).x : 0;
}
