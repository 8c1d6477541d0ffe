// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: two sub-groups may get different sums
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) {
  out[get_group_id(0)] = sub_group_reduce_add((int)get_local_id(0));
}
