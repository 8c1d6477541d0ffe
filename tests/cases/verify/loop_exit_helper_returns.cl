// EXPECT: div
// OPTS: --local 8 --groups 2
// WHY: the helper returns from its loop behind the barrier when the value of the work-item is spent: with load[0] = 1 and load[1] = 5 in different turns.
static int spend(int left, local int *t, int l) {
  for (;;) {
    t[l] = left;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((left -= 2) <= 0) {
      return left;
    }
  }
}
kernel void drain(global int *load, local int *t) {
  load[get_global_id(0)] = spend(load[get_global_id(0)], t, get_local_id(0));
}
