// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: with n = 0 nothing waits for the second copy.
kernel void k(global const int *in, global int *out, int n) {
  local int t[32];
  event_t e = async_work_group_copy(t, in, 16, 0);
  wait_group_events(1, &e);
  event_t f = async_work_group_copy(t + 16, in + 16, 16, 0);
  if (n > 0) {
    e = f;
  }
  wait_group_events(1, &e);
  out[get_local_id(0)] = t[get_local_id(0) + 16];
}
