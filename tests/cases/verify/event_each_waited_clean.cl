// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: each event is waited for before its place is used again.
kernel void ring(global const int *in, global int *out) {
  local int tile[2][16];
  const int l = get_local_id(0);
  event_t ev[2];
  ev[0] = async_work_group_copy(tile[0], in, 16, 0);
  ev[1] = async_work_group_copy(tile[1], in + 16, 16, 0);
  wait_group_events(2, ev);
  const int sum = tile[0][l] + tile[1][l];
  barrier(CLK_LOCAL_MEM_FENCE);
  ev[0] = async_work_group_copy(tile[0], in + 32, 16, 0);
  wait_group_events(1, ev);
  out[l] = sum + tile[0][l];
}
