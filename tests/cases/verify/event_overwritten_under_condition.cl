// EXPECT: race
// OPTS: --local 32 --groups 1
// OPTS:
// WHY: with two_tiles set the event of the first copy is overwritten and nobody waits for it; near[l] is read while the copy may still write it.
kernel void tiles(global const int *in, global int *out, local int *near, local int *far, int two_tiles) {
  const int l = get_local_id(0), n = get_local_size(0);
  event_t done = async_work_group_copy(near, in, n, 0);
  if (two_tiles) {
    done = async_work_group_copy(far, in + n, n, 0);
  }
  wait_group_events(1, &done);
  out[get_global_id(0)] = near[l];
}
