// EXPECT: possible-ok
// OPTS: --local 32 --groups 1
// BUILD: -cl-std=CL2.0
// CERTAIN: no
// WHY: sub_group_barrier orders the work-items of one sub-group. Which work-items that are depends on the device; where a sub-group has 32, nothing is wrong, where it has 8 there is a race. So a race is possible, and not certain: the verdict must say what it depends on.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void shift(global const int *in, global int *out) {
  local int t[32];
  const uint l = get_local_id(0);
  t[l] = in[l];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l ^ 1];
}
