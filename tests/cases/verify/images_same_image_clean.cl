// EXPECT: clean
// OPTS: --local 8 --groups 4
// OPTS:
// WHY: one image has one width, so the difference is 0 and nobody stores.
kernel void crop(read_only image2d_t from, global int *lost) {
  const int cut = get_image_width(from) - get_image_width(from);
  if (cut > 0) {
    lost[0] = get_global_id(0);
  }
}
