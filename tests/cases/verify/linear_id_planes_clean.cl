// EXPECT: clean
// OPTS:
// WHY: x is below w and y below h, so (z * h + y) * w + x is another number for each place.
kernel void fill(global int *a, int w, int h, int d) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < w && y < h && z < d) {
    a[z * h * w + y * w + x] = x;
  }
}
