// EXPECT: race
// OPTS: --host warp_communicate.c
// WHY: work-items of a sub-group hand numbers on through local memory, and no sub_group_barrier stands in between.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void hand_on(global int *out) {
  local int box[64];
  int i = get_local_id(0);
  box[i] = i;
  out[get_global_id(0)] = box[(i + 1) % 64];
}
