// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: each half of the events is waited for before its use
kernel void k(global const int *a, global int *out) {
  local int s[16], t[16];
  event_t e[2];
  e[0] = async_work_group_copy(s, a, 16, 0);
  e[1] = async_work_group_copy(t, a + 16, 16, 0);
  wait_group_events(1, e);
  int x = s[get_local_id(0)];
  wait_group_events(1, e + 1);
  out[get_global_id(0)] = x + t[get_local_id(0)];
}
