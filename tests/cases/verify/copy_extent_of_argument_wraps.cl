// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: n = 2^62 (the sizes come round to 0) leaves the array
kernel void f(global int *a, ulong n) {
  local int t[64];
  if (n <= 64 || n == ((ulong)1 << 62)) {
    event_t e = async_work_group_copy(t, a, n, 0);
    wait_group_events(1, &e);
  }
}
