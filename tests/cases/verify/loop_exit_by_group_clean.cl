// EXPECT: clean
// OPTS: --local 32 --groups 8
// OPTS: --local 32
// WHY: work-items of different groups take different numbers of turns, those of one group the same: l / 32 is 0 for all.
kernel void waves(global int *a, local int *t) {
  const int l = get_local_id(0);
  int turn = 0;
  for (;;) {
    t[l] = turn;
    barrier(CLK_LOCAL_MEM_FENCE);
    turn++;
    if (turn > (int)get_group_id(0) + l / 32) {
      break;
    }
  }
  a[get_global_id(0)] = t[l];
}
