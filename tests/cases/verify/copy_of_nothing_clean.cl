// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: a copy of no elements touches nothing
kernel void k(local int *t, global int *a, global int *out) {
  event_t e = async_work_group_copy(t, a, 0, 0);
  t[get_local_id(0)] = 1;
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)];
}
