// EXPECT: race
// OPTS: --local 64
// WHY: the two events change places, and the first is waited for: that of the second copy.
kernel void fetch(global const int *in, global int *out) {
  local int s[64], t[64];
  event_t e[2];
  e[0] = async_work_group_copy(s, in, 64, 0);
  e[1] = async_work_group_copy(t, in + 64, 64, 0);
  event_t other = e[0];
  e[0] = e[1];
  e[1] = other;
  wait_group_events(1, e);
  out[get_global_id(0)] = s[get_local_id(0)];
  wait_group_events(1, e + 1);
}
