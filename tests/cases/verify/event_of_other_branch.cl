// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: with odd = 1 the wait is for the second copy's event only; near is read while its copy may still write it.
kernel void both(global const int *in, global int *out, local int *near, local int *far, int odd) {
  const int l = get_local_id(0);
  event_t a = async_work_group_copy(near, in, 16, 0);
  event_t b = async_work_group_copy(far, in + 16, 16, 0);
  event_t e = odd ? b : a;
  wait_group_events(1, &e);
  out[l] = near[l];
  wait_group_events(1, &a);
  wait_group_events(1, &b);
}
