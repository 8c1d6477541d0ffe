// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: a copy that is given no event makes one, which nobody keeps: the variable still holds none.
kernel void k(global const int *in, global int *out) {
  local int t[16];
  event_t e = 0;
  async_work_group_copy(t, in, 16, e);
  wait_group_events(1, &e);
  out[get_local_id(0)] = t[get_local_id(0)];
}
