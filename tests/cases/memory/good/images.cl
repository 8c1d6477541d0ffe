// IMAGE: given 16 8 rgba_f32 ramp ro
// IMAGE: drawn 16 8 rgba_f32 none wo
// IMAGE: both 16 8 rgba_f32 none
// IMAGE: left 16 8 r_u32 none
// IMAGE: unused 16 8 r_u32 none
// BUFFER: out float 128 zeros
// KERNEL: draw
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: given
// ARG: drawn
// ARG: both
// ARG: left
// KERNEL: sum
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: given
// ARG: both
// ARG: left
// ARG: unused
// ARG: out
// READ: drawn
// READ: out
// WHY: each image is used as it was made to be; one is written whole before it is read, of another one only the written left is used, and what is read of a third is not used.
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void draw(read_only image2d_t given, write_only image2d_t drawn, write_only image2d_t both, write_only image2d_t left) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(drawn, at, read_imagef(given, near, at) * 2.0f);
  write_imagef(both, at, read_imagef(given, at) + 1.0f);
  if (at.x < 8)
    write_imageui(left, at, (uint4)(at.x + at.y));
}

kernel void sum(read_only image2d_t given, read_only image2d_t both, read_only image2d_t left, read_only image2d_t unused, global float *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 p = read_imagef(both, near, at) + read_imagef(given, at);
  uint4 q = read_imageui(left, near, at), u = read_imageui(unused, at);
  out[at.y * 16 + at.x] = p.x + p.y + (at.x < 8 ? q.x : 0) + (u.x > 5 ? 0 : 0);
}
