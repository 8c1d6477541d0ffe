// Images: pixels by their coordinates (OpenCL C, 6.15.15 of 3.0).

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// expect verified own_pixel
// ask {"local": [8, 8], "groups": [2, 2]}
kernel void own_pixel(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, at));
}

// A whole row of work-items writes one pixel.
// expect race same_column out
// ask {"local": [8, 8], "groups": [2, 2]}
kernel void same_column(write_only image2d_t out) {
  write_imagei(out, (int2)(3, get_global_id(1)), (int4)(get_global_id(0))); //! write
}

// What is read at coordinates in floating point may be any pixel, but of an image that nobody writes.
// expect verified filtered
// ask {"local": [8, 8], "groups": [2, 2]}
kernel void filtered(read_only image2d_t in, write_only image2d_t out, float scale) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, (float2)(at.x * scale, at.y * scale)));
}

// expect verified of_an_array
// ask {"local": [8, 8, 1], "groups": [2, 2, 4], "dimensions": 3}
kernel void of_an_array(write_only image2d_array_t out) {
  write_imagei(out, (int4)(get_global_id(0), get_global_id(1), get_group_id(2), 0), (int4)(1));
}

// Coordinates that no image has.
void __attribute__((overloadable)) write_imagef(write_only image2d_t out, int8 at, float4 what);

// expect unsupported eight_coordinates
kernel void eight_coordinates(write_only image2d_t out) {
  write_imagef(out, (int8)(get_global_id(0)), (float4)(1));
}
