// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: a vote orders no memory
kernel void k(global int *out) {
  local int t[16];
  t[get_local_id(0)] = get_local_id(0);
  int v = work_group_any(get_local_id(0) == 3);
  out[get_global_id(0)] = t[get_local_id(0) ^ 1] + v;
}
