// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the second copy is not waited for
kernel void k(global const int *a, global int *out) {
  local int s[16], t[16];
  event_t e[2];
  e[0] = async_work_group_copy(s, a, 16, 0);
  e[1] = async_work_group_copy(t, a + 16, 16, 0);
  wait_group_events(1, e);
  out[get_global_id(0)] = s[get_local_id(0)] + t[get_local_id(0)];
}
