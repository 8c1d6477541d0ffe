// EXPECT: clean
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL3.0
// WHY: each sub-group has a counter and a part of the list of its own. Told as possible: what a counter gives is any number.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) {
  local int c[64], list[64][128];
  uint s = get_sub_group_id(), lane = get_sub_group_local_id();
  if (lane == 0) c[s] = 0;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int i1 = atomic_inc(&c[s]);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int i2 = atomic_inc(&c[s]);
  list[s][i1] = lane;
  list[s][i2] = lane + 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = list[s][lane];
}
