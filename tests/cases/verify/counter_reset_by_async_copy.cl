// EXPECT: race
// OPTS: --local 8 --groups 1
// WHY: the copy puts the same start numbers into the counters before each round, so number zero[0] is given in each round, and out at that place is stored twice with no global fence between.
kernel void rounds(global int *out, global const int *start) {
  local int next[2];
  const int l = get_local_id(0);
  for (int r = 0; r < 4; r++) {
    event_t e = async_work_group_copy(next, start, 2, 0);
    wait_group_events(1, &e);
    out[atomic_inc(&next[1])] = r * 8 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
