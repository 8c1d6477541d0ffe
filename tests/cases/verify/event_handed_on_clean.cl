// EXPECT: clean
// OPTS: --local 32 --groups 1
// OPTS:
// WHY: the second copy takes the first one's event, so the wait is for both.
kernel void tiles(global const int *in, global int *out, local int *near, local int *far, int two_tiles) {
  const int l = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(near, in, n, 0);
  if (two_tiles) {
    done = async_work_group_copy(far, in + n, n, done);
  }
  wait_group_events(1, &done);
  out[get_global_id(0)] = near[l];
}
