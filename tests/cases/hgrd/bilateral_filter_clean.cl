// EXPECT: clean
// OPTS: --host bilateral_filter_clean.c
// WHY: each work-item writes its own pixel, and reads another buffer.
kernel void filter(global const float *in, global float *out, int width, int height, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    float sum = 0, weight = 0;
    for (int dy = -radius; dy <= radius; dy++)
      for (int dx = -radius; dx <= radius; dx++) {
        int u = clamp(x + dx, 0, width - 1), v = clamp(y + dy, 0, height - 1);
        float w = exp(-(float)(dx * dx + dy * dy) - fabs(in[v * width + u] - in[y * width + x]));
        sum += w * in[v * width + u];
        weight += w;
      }
    out[y * width + x] = sum / weight;
  }
}
