// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: waits for the copy of this turn, and reads that of the next, which is still on its way.
kernel void k(global const int *in, global int *out) {
  local int t[2][16];
  const int l = get_local_id(0);
  int s = 0;
  event_t e = async_work_group_copy(t[0], in, 16, 0);
  for (int j = 0; j < 4; j++) {
    event_t f = async_work_group_copy(t[(j + 1) & 1], in + 16 * (j + 1), 16, 0);
    wait_group_events(1, &e);
    s += t[(j + 1) & 1][l];
    e = f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(1, &e);
  out[l] = s;
}
