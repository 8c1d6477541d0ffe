// EXPECT: race
// OPTS: --local 64 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: the barrier of the sub-group orders no two sub-groups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) {
  local int t[64];
  t[get_local_id(0)] = get_local_id(0);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  out[get_global_id(0)] = t[63 - get_local_id(0)];
}
