// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the first event is kept aside, put back, and waited for: the second copy is not
kernel void k(global const int *a, global int *out) {
  local int s[16], t[16];
  event_t e = async_work_group_copy(s, a, 16, 0);
  event_t old = e;
  e = async_work_group_copy(t, a + 16, 16, 0);
  e = old;
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)];
}
