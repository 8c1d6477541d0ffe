// EXPECT: race
// RUN: transpose p0:32,32 p0 @16,16:8,8
// WHY: both images are one: work-item (0, 1) reads pixel (1, 0), which work-item (1, 0) writes.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void transpose(read_only image2d_t from, write_only image2d_t to) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float4 v = read_imagef(from, nearest, (int2)(y, x));
  write_imagef(to, (int2)(x, y), v.wzyx);
}
