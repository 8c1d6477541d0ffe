// EXPECT: race
// OPTS: --local 8 --groups 4
// OPTS:
// WHY: the images are different arguments and may differ in width: with 9 and 8 pixels a row all work-items store their own number to lost[0].
kernel void crop(read_only image2d_t from, read_only image2d_t mask, global int *lost) {
  const int cut = get_image_width(from) - get_image_width(mask);
  if (cut > 0) {
    lost[0] = get_global_id(0);
  }
}
