// EXPECT: clean
// OPTS: --local 8,8 --groups 4,4
// OPTS:
// WHY: rows are as wide as the image that bounds x, so no two work-items have the same index.
kernel void resize(read_only image2d_t from, write_only image2d_t to, global int *out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < get_image_width(to) && y < get_image_height(to)) {
    out[y * get_image_width(to) + x] = x + 10 * y;
  }
}
