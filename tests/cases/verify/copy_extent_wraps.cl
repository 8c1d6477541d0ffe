// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: 2^62 ints are copied into an array of 64
kernel void f(global int *a) {
  local int t[64];
  event_t e = async_work_group_copy(t, a, (size_t)1 << 62, 0);
  wait_group_events(1, &e);
}
