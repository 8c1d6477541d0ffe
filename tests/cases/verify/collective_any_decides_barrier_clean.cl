// EXPECT: clean
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: all get the same vote
kernel void k(global int *out) {
  if (work_group_any(get_local_id(0) == 3)) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
