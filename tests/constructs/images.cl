__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
int texel(__read_only image2d_t image, sampler_t s, int2 at) {
  uint4 t = read_imageui(image, s, at);
  return t.x > 2 ? (int)t.x : -1;
}
__kernel void test(__global int *out, __read_only image2d_t image, sampler_t given, write_only image2d_t result) {
  const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  int i = get_global_id(0);
  int2 size = get_image_dim(image);
  if (i >= size.x)
    return;
  out[i] = texel(image, given, (int2)(i, 0)) + texel(image, nearest, (int2)(i, 1)) * 10 +
           (int)read_imageui(image, own, (int2)(i, 1)).x;
  write_imageui(result, (int2)(i, 0), (uint4)(7));
}
// Images and samplers (argument, constant, local); the texels are 0, 1, 2, … in a 4 x 2 image.
// range: 8 4
// args: image 4 2, sampler, image 4 2
// code: 2-5 6-15
// site: function 2 entered |
// site: conditional 4 true, false |
// site: function 6 entered |
// site: if 10 true, false |
// lines:
// findings: 0
