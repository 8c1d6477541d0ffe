// EXPECT: clean
// RUN: sums p0:16,16 p0 p1:16,16 @16,16:4,4
// WHY: both images that are read are one; the one that is written is another.
constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
kernel void sums(read_only image2d_t a, read_only image2d_t b, write_only image2d_t to) {
  const int x = get_global_id(0), y = get_global_id(1);
  write_imagef(to, (int2)(x, y), read_imagef(a, exact, (int2)(x, y)) + read_imagef(b, exact, (int2)(y, x)));
}
