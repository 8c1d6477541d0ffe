// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: each turn waits for its own copy, reads it, and lets nobody begin the next before all have read.
kernel void turns(global const int *in, global int *out, int n) {
  local int t[16];
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    event_t e = async_work_group_copy(t, in + k * 16, 16, 0);
    wait_group_events(1, &e);
    sum += t[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = sum;
}
