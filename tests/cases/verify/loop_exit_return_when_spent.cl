// EXPECT: div
// OPTS:
// OPTS: --local 64 --groups 2
// WHY: with load[0] = 1 and load[1] = 9 and rounds = 3, work-item 0 returns after its first barrier, work-item 1 comes to a second.
kernel void drain(global const int *load, global int *rest, local int *t, int rounds) {
  const int l = get_local_id(0);
  int left = load[get_global_id(0)];
  while (rounds-- > 0) {
    t[l] = left;
    barrier(CLK_LOCAL_MEM_FENCE);
    left -= 3;
    if (left <= 0) {
      rest[get_global_id(0)] = t[l];
      return;
    }
  }
  rest[get_global_id(0)] = left;
}
