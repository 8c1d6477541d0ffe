// EXPECT: race
// RESTS: same size
// BUILD: -cl-std=CL3.0
// WHY: the last group may have fewer sub-groups than the others: with 2 in the first group and 1 in the second, place 0 * 2 + 1 of the one is place 1 * 1 + 0 of the other.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global uint *out) {
  if (get_sub_group_local_id() == 0) {
    out[get_group_id(0) * get_num_sub_groups() + get_sub_group_id()] = get_global_id(0);
  }
}
