// EXPECT: clean
// OPTS: --assume '0 <= lane[i] && lane[i] < width'
// WHY: each work-item has a row of its own, as no lane is outside of its width.
kernel void rows(global int *out, global const int *lane, int width) {
  const int g = get_global_id(0);
  out[g * width + lane[g]] = g;
}
