// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: in its third turn group 0 stores places 64 to 95, as group 1 does in its first.
kernel void k(global int *out, int m) {
  local int first;
  if (get_local_id(0) == 0) {
    first = get_group_id(0) * 64;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 4; i++) {
    out[first + get_local_id(0)] = get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      first += 32;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
