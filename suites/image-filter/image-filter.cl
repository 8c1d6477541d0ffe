/* Filters on images of four float channels. */

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

/* by distance from the centre */
__constant float weights[3] = {4.0f, 2.0f, 1.0f};

/* The weighted mean of the pixels at most `radius` (0..2) columns and rows away. */
__kernel void smooth(const int radius, __read_only image2d_t in, __write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (at.x >= get_image_width(out) || at.y >= get_image_height(out))
    return;
  float4 sum = (float4)(0.0f);
  float total = 0.0f;
  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      const float weight = weights[abs(dx)] * weights[abs(dy)];
      sum += weight * read_imagef(in, nearest, at + (int2)(dx, dy));
      total += weight;
    }
  }
  write_imagef(out, at, sum / total);
}

/* Each channel becomes 1 above `limit` and 0 below, except in pixels that are fully transparent. */
__kernel void threshold(const float limit, __read_only image2d_t in, __write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 pixel = read_imagef(in, nearest, at);
  const float4 sharp = pixel > limit ? (float4)(1.0f) : (float4)(0.0f);
  write_imagef(out, at, pixel.w > 0.0f ? sharp : pixel);
}
