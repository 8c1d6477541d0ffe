// EXPECT: race
// OPTS:
// WHY: rows are h apart, and w long: with w = 3 and h = 2 the places (2, 0, 0) and (0, 1, 0) are both 2.
kernel void fill(global int *a, int w, int h, int d) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < w && y < h && z < d) {
    a[z * h * w + y * h + x] = x;
  }
}
