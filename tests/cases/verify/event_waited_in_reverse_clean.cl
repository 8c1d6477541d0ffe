// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: both are waited for before they are read, the second first.
kernel void both(global const int *in, global int *out, local int *near, local int *far) {
  const int l = get_local_id(0);
  event_t a = async_work_group_copy(near, in, 16, 0);
  event_t b = async_work_group_copy(far, in + 16, 16, 0);
  wait_group_events(1, &b);
  const int second = far[l];
  wait_group_events(1, &a);
  out[l] = near[l] + second;
}
