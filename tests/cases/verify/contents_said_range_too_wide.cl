// EXPECT: race
// OPTS: --assume '0 <= lane[i] && lane[i] <= width'
// WHY: with lane[0] == width and lane[1] == 0 two work-items write out[width].
kernel void rows(global int *out, global const int *lane, int width) {
  const int g = get_global_id(0);
  out[g * width + lane[g]] = g;
}
