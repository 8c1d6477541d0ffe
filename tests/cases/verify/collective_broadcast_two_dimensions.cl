// EXPECT: div
// OPTS: --local 4,4 --groups 1,1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the second index of the broadcast differs
kernel void k(global int *out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = work_group_broadcast((int)get_local_id(0), 0, get_local_id(1));
}
