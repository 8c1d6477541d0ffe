// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: at most 64
kernel void f(global int *a, ulong n) {
  local int t[64];
  if (n <= 64) {
    event_t e = async_work_group_copy(t, a, n, 0);
    wait_group_events(1, &e);
  }
}
