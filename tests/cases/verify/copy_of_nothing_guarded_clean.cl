// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: only where nothing is copied the elements are written without a wait
kernel void k(local int *t, global int *a, global int *out, uint n) {
  event_t e = async_work_group_copy(t, a, n, 0);
  if (n == 0) t[get_local_id(0)] = 1;
  wait_group_events(1, &e);
  out[get_global_id(0)] = 1;
}
