// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: all events of the loop are waited for
kernel void k(global const int *a, global int *out) {
  local int s[64];
  event_t e[4];
  for (int i = 0; i < 4; i++) e[i] = async_work_group_copy(s + 16 * i, a + 16 * i, 16, 0);
  wait_group_events(4, e);
  out[get_global_id(0)] = s[get_local_id(0)];
}
