// EXPECT: clean
// RUN: flip p0:16,16 p1:16,16 i16 @16,16:4,4
// WHY: the images are two, one is read and the other written, each pixel by one work-item.
constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
kernel void flip(read_only image2d_t from, write_only image2d_t to, int rows) {
  const int x = get_global_id(0), y = get_global_id(1);
  write_imagef(to, (int2)(x, y), read_imagef(from, exact, (int2)(x, rows - 1 - y)));
}
