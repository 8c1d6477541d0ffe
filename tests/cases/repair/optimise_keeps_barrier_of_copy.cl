// EXPECT: fine
// OPTS: --optimise --local 64 --groups 2
// WHY: the barrier stands between the reads of the tile and the next copy into it: a wait comes after the copy has begun, and is no replacement.
kernel void stream(global const int *in, global int *out) {
  local int tile[64];
  const int l = get_local_id(0);
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    event_t e = async_work_group_copy(tile, in + 64 * i, 64, 0);
    wait_group_events(1, &e);
    sum += tile[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
