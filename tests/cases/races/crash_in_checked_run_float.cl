// EXPECT: unchecked
// RUN: decay b0:4096 b1:4096 i4 @128:64
// WHY: row 1 is written by work-item l and read by work-item l - 1 with no barrier between.
kernel void decay(global const float *in, global float *out, int turns) {
  local float row[2][64];
  const int l = get_local_id(0);
  row[0][l] = in[get_global_id(0)];
  row[1][l] = 0.0f;
  int k = 0;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    row[1][l] = 0.5f * row[1][(l + 1) & 63] + row[0][l];
  } while (++k < turns);
}
