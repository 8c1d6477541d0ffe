/* Of rectangles, not of squares alone. */
kernel void reference(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

kernel void right_linear(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int at = y * width + x;
  out[at % width * height + at / width] = in[at];
}

kernel void right_mad(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (y < height && x < width)
    out[mad24(x, height, y)] = in[mad24(y, width, x)];
}

kernel void faulty_index(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    out[x * width + y] = in[y * width + x];
}
