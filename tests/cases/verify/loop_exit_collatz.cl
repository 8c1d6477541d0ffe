// EXPECT: div
// OPTS:
// OPTS: --local 32 --groups 2
// WHY: work-item 0 starts at 2 and leaves in its first turn; work-item 1 starts at 3 and stays for seven, so it waits alone at the barrier.
kernel void collatz(global uint *steps, local uint *board) {
  const uint l = get_local_id(0);
  uint x = get_global_id(0) + 2, turns = 0;
  for (;;) {
    board[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = (x & 1) ? 3 * x + 1 : x >> 1;
    turns++;
    if (x == 1) {
      break;
    }
  }
  steps[get_global_id(0)] = turns;
}
