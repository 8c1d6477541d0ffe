// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: a may be lower than b; then all work-items store their own number to status[0].
kernel void check(read_only image2d_t a, read_only image2d_t b, global int *status) {
  const int2 da = get_image_dim(a), db = get_image_dim(b);
  if (da.y < db.y) {
    status[0] = get_global_id(0);
  }
}
