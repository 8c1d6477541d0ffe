// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: first is changed after the loop: with m = 0 it is 0 in all groups.
kernel void k(global int *out, global int *a, int m) {
  local int first;
  if (get_local_id(0) == 0) {
    first = get_group_id(0) * 32;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = 0;
  for (int i = 0; i < m; i++) {
    s += first;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 3) {
    first = s & 31;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + get_local_id(0)] = get_group_id(0);
}
