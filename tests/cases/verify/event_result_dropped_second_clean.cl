// EXPECT: clean
// OPTS: --local 16 --groups 1
kernel void k(global const int *in, global int *out) {
  local int t[32];
  event_t e = async_work_group_copy(t, in, 16, 0);
  async_work_group_copy(t + 16, in + 16, 16, e);
  wait_group_events(1, &e);
  out[get_local_id(0)] = t[get_local_id(0) + 16];
}
