// EXPECT: div
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL3.0
// WHY: only one work-item of a sub-group comes to its barrier
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) {
  if (get_sub_group_local_id() == 0) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
