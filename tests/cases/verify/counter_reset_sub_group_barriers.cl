// EXPECT: race
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL3.0
// WHY: sub-groups set their counters back at different times
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *c, global int *list) {
  uint lane = get_sub_group_local_id();
  uint s = get_sub_group_id() + get_num_sub_groups() * (uint)get_group_id(0);
  if (lane == 0) c[s] = 0;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int i1 = atomic_inc(&c[s]);
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (lane == 0) c[s] = 0;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int i2 = atomic_inc(&c[s]);
  list[i1 * 65536 + s] = lane;
  list[i2 * 65536 + s] = lane + 100;
}
