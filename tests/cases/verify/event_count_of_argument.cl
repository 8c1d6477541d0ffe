// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the count may be 0
kernel void k(global const int *a, global int *out, int n) {
  local int s[16];
  event_t e = async_work_group_copy(s, a, 16, 0);
  wait_group_events(n, &e);
  out[get_global_id(0)] = s[get_local_id(0)];
}
