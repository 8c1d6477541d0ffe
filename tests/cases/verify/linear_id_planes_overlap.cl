// EXPECT: race
// OPTS: --local 16 --groups 2 --assume 'w > 0' --assume 'h > 0'
// WHY: a plane has h rows of w, and each work-item stores a row more: the last is the first one of the next work-item's plane.
kernel void planes(global int *out, int w, int h) {
  const int plane = get_global_id(0);
  for (int y = 0; y <= h; y++) {
    for (int x = 0; x < w; x++) {
      out[plane * h * w + y * w + x] = plane;
    }
  }
}
