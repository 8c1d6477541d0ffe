// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: memset by hand: the counter is set to 0 in each round, so both rounds give the numbers 0 to 15, and no global fence is between the stores to list.
kernel void rounds(global int *list) {
  local int used[2];
  const int l = get_local_id(0);
  for (int round = 0; round < 2; round++) {
    if (l < 2) {
      used[l] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    do {
      list[atomic_add(&used[0], 1)] = round * 16 + l;
    } while (0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
