// EXPECT: clean
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL2.0
// WHY: the row is that of the own sub-group, and its number in the sub-group is below 64, so only work-items of one sub-group share a row, and sub_group_barrier orders these.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void shift(global const int *in, global int *out) {
  local int t[64][64];
  const uint row = get_sub_group_id(), l = get_sub_group_local_id(), n = get_sub_group_size();
  t[row][l] = in[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[row][n - 1 - l];
}
