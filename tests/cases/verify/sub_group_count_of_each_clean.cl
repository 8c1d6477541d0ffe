// EXPECT: clean
// BUILD: -cl-std=CL3.0 -cl-uniform-work-group-size
// WHY: all groups have as many sub-groups, and each stores by its first work-item.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global uint *out) {
  if (get_sub_group_local_id() == 0) {
    out[get_group_id(0) * get_num_sub_groups() + get_sub_group_id()] = get_global_id(0);
  }
}
