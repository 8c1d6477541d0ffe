// EXPECT: race
// OPTS: --assume 'w < 0' --assume 'h > 0' --assume 'd > 0'
// WHY: nothing keeps x below the width: with w = -1 and h = 4 the places (0, 0, 0) and (1, 1, 0) are both 0.
kernel void fill(global int *a, int w, int h, int d) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (y < h && z < d) {
    a[z * h * w + y * w + x] = x;
  }
}
