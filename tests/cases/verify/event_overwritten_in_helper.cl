// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: the helper gives back the event of its second copy only; the first copy still writes a while all read it.
static event_t fetch(local float *a, local float *b, global const float *from, size_t n) {
  event_t e = async_work_group_copy(a, from, n, 0);
  e = async_work_group_copy(b, from + n, n, 0);
  return e;
}
kernel void pairs(global const float *in, global float *out, local float *a, local float *b) {
  event_t e = fetch(a, b, in, get_local_size(0));
  wait_group_events(1, &e);
  out[get_global_id(0)] = a[get_local_id(0)] * b[get_local_id(0)];
}
