// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: first is written before the barrier only, so it is the same in each turn; ranges of groups are 4096 apart. Told as possible: what the first work-item of another group wrote is not known.
kernel void k(global int *out, int m) {
  local int first;
  if (get_local_id(0) == 0) {
    first = get_group_id(0) * 4096;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 4096; i += get_local_size(0)) {
    out[first + i] = i;
  }
}
