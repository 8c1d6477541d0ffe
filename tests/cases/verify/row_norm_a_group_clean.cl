// EXPECT: clean
// OPTS: --local 128 --groups 4
// OPTS: --local 64
// WHY: a group has one row; its columns are below width, so rows of two groups do not meet, and work-items of one group step through it in strides of the local size. Barriers separate the sum and its use.
kernel void rms_norm(global float *x, global const float *gain, int width, float eps) {
  local float part[128];
  const int l = get_local_id(0), n = get_local_size(0);
  global float *const row = x + get_group_id(0) * width;
  float squares = 0.0f;
  for (int c = l; c < width; c += n) {
    squares += row[c] * row[c];
  }
  part[l] = squares;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n >> 1; s > 0; s >>= 1) {
    if (l < s) {
      part[l] += part[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = rsqrt(part[0] / width + eps);
  for (int c = l; c < width; c += n) {
    row[c] = row[c] * scale * gain[c];
  }
}
