// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the inner loop with its barrier is entered in turn 0 only, by all; then work-item l takes 40 + l turns, and all write top of their group.
kernel void nest(global int *top) {
  const int l = get_local_id(0);
  int turn = 0;
  while (turn < 40 + l) {
    if (turn == 0) {
      for (int i = 0; i < 3; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
    turn++;
  }
  top[get_group_id(0)] = turn;
}
