// EXPECT: div
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: local_id must be the same for all work-items of the group (6.15.16)
kernel void k(global int *out) {
  local int t[64];
  int l = get_local_id(0);
  int v = work_group_broadcast(l, (size_t)(l / 32));
  t[(l + v) & 63] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}
