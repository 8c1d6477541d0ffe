// EXPECT: clean
// OPTS: --local 64
// WHY: two tiles in turn. Each is read after the wait for its own copy, and the barrier at the end of a turn stands between these reads and the next copy into the tile. Told as possible: the place of the event that a wait is for is not known where it is computed in a loop.
kernel void stream(global const float *in, global float *out, uint turns) {
  local float tile[2][64];
  const int l = get_local_id(0);
  event_t e[2];
  float sum = 0;
  e[0] = async_work_group_copy(tile[0], in, 64, 0);
  for (uint i = 0; i < turns; i++) {
    e[(i + 1) & 1] = async_work_group_copy(tile[(i + 1) & 1], in + 64 * (i + 1), 64, 0);
    wait_group_events(1, &e[i & 1]);
    sum += tile[i & 1][63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(1, &e[turns & 1]);
  out[get_global_id(0)] = sum;
}
