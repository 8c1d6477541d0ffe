// EXPECT: race
// OPTS: --local 64
// WHY: what is read was copied two turns before, and never waited for: the barriers between do not end a copy.
kernel void ring(global const int *in, global int *out, uint n) {
  local int tile[4][64];
  const int l = get_local_id(0);
  int sum = 0;
  event_t e[4];
  for (uint i = 0; i < n; i++) {
    e[i & 3] = async_work_group_copy(tile[i & 3], in + 64 * i, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[(i + 2) & 3][l];
  }
  out[get_global_id(0)] = sum;
}
