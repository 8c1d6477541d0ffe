// EXPECT: div
// OPTS:
// OPTS: --local 16 --groups 2
// WHY: the switch ends the loop of work-items whose state is 3 in their first turn, behind the barrier; the others come to the barrier of the second turn.
kernel void machine(global int *state, local int *seen) {
  const int l = get_local_id(0);
  int now = state[get_global_id(0)] & 3, going = 1;
  while (going) {
    seen[l] = now;
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (now) {
      case 3:
        going = 0;
        break;
      default:
        now++;
    }
  }
  state[get_global_id(0)] = seen[l];
}
