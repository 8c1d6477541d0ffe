// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the last event is not waited for
kernel void k(global const int *a, global int *out) {
  local int s[64];
  event_t e[4];
  for (int i = 0; i < 4; i++) e[i] = async_work_group_copy(s + 16 * i, a + 16 * i, 16, 0);
  wait_group_events(3, e);
  out[get_global_id(0)] = s[48 + get_local_id(0)];
}
