// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: with n = 1 the copy writes the first element while a work-item does
kernel void k(local int *t, global int *a, global int *out, int n) {
  event_t e = async_work_group_copy(t, a, n & 1, 0);
  t[get_local_id(0)] = 1;
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)];
}
