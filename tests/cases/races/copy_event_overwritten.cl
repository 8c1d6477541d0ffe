// EXPECT: race
// RUN: fetch b0:1024 b1:1024 @64:64
// WHY: the event of the first copy is overwritten, so that one is never waited for.
kernel void fetch(global const int *in, global int *out) {
  local int a[64], b[64];
  const int l = get_local_id(0);
  event_t e = async_work_group_copy(a, in, 64, 0);
  e = async_work_group_copy(b, in + 64, 64, 0);
  wait_group_events(1, &e);
  out[l] = a[l] + b[l];
}
