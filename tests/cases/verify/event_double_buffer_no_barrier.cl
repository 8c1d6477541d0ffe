// EXPECT: race
// OPTS: --local 64
// WHY: without a barrier at the end of a turn a work-item may begin the next copy into the tile that another one still reads.
kernel void stream(global const float *in, global float *out, int turns) {
  local float tile[2][64];
  const int l = get_local_id(0);
  event_t e[2];
  float sum = 0;
  e[0] = async_work_group_copy(tile[0], in, 64, 0);
  for (int i = 0; i < turns; i++) {
    e[(i + 1) & 1] = async_work_group_copy(tile[(i + 1) & 1], in + 64 * (i + 1), 64, 0);
    wait_group_events(1, &e[i & 1]);
    sum += tile[i & 1][63 - l];
  }
  wait_group_events(1, &e[turns & 1]);
  out[get_global_id(0)] = sum;
}
