// EXPECT: race
// OPTS:
// WHY: the row after the last of a plane is the first of the next plane, and each writes its z.
kernel void fill(global int *a, int w, int h, int d) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < w && y <= h && z < d) {
    a[z * h * w + y * w + x] = z;
  }
}
