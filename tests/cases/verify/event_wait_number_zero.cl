// EXPECT: race
// OPTS: --local 64 --groups 4
// WHY: a wait for no event is no wait; the first event is overwritten and never awaited
kernel void k(global const int *in, global int *out, int n, int m) {
  local int x[64], z[64];
  int l = get_local_id(0);
  if (n == 77 && m == 1999) {
    event_t e;
    e = async_work_group_copy(x, in, 64, 0);
    wait_group_events(0, &e);
    e = async_work_group_copy(z, in + 128, 64, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = x[l] + z[l];
  }
}
