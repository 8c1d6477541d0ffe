// EXPECT: race
// OPTS: --local 8 --groups 2
// BUILD: -cl-std=CL2.0
// WHY: pixels that a work-item writes are seen by others only behind a barrier with CLK_IMAGE_MEM_FENCE; here it names local memory. Work-item 0 writes pixel 0, work-item 1 reads it.
kernel void shift(read_write image1d_t row, global int *out) {
  const int i = get_global_id(0), first = get_group_id(0) * get_local_size(0);
  write_imagei(row, i, (int4)(i));
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i > first ? read_imagei(row, i - 1).x : 0;
}
