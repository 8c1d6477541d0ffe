// EXPECT: div
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: only some come to the reduction
kernel void k(global int *out) {
  int s = 0;
  if (get_local_id(0) < 3) s = work_group_reduce_add(1);
  out[get_global_id(0)] = s;
}
