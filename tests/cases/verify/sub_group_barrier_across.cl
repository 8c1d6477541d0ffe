// EXPECT: possible-ok
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL2.0
// CERTAIN: no
// WHY: work-item l reads what work-item 63 - l stored. On each device that has more than one sub-group in 64 work-items these are of different sub-groups, and nothing orders them: a race is possible (and certain where the sub-group is said to be smaller than 64).
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void mirror(global const int *in, global int *out) {
  local int t[64];
  const uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l];
}
