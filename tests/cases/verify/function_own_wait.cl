// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own wait_group_events(long, event_t *) without a body waits for nothing
void __attribute__((overloadable)) wait_group_events(long n, event_t *e);
kernel void f(global int *a, global int *o) {
  local int t[64];
  event_t e = async_work_group_copy(t, a, 64, 0);
  wait_group_events((long)1, &e);
  o[get_local_id(0)] = t[get_local_id(0)];
}
