// IMAGE: given 16 8 rgba_f32 ramp ro
// IMAGE: drawn 16 8 rgba_f32 ramp wo
// IMAGE: counts 16 8 r_u32 zeros wo
// BUFFER: out float 128 zeros
// KERNEL: writes
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: given
// KERNEL: marks
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: given
// KERNEL: reads
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: drawn
// ARG: counts
// ARG: out
// READ: out
// WHY: an image for reading is written, one for writing is read: by pixels, with a sampler, in a function.
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void writes(write_only image2d_t given) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(given, at, (float4)(1.0f)); // ERROR: read-only
}

void mark(write_only image2d_t to, int x, int y) {
  write_imagef(to, (int2)(x, y), (float4)(2.0f, 0.0f, 0.0f, 1.0f)); // ERROR: read-only
}

kernel void marks(write_only image2d_t given) {
  const int x = get_global_id(0), y = get_global_id(1);
  mark(given, x, y);
  for (int i = 0; i < 2; i++)
    if ((x + i) % 3 == 0)
      write_imagef(given, (int2)(x, i), (float4)(i)); // ERROR: read-only
}

float count(read_only image2d_t counts, int2 at) {
  return read_imageui(counts, near, at).x; // ERROR: write-only
}

kernel void reads(read_only image2d_t drawn, read_only image2d_t counts, global float *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float sum = read_imagef(drawn, at).x; // ERROR: write-only
  if (at.x > 3)
    sum += read_imagef(drawn, near, (float2)(at.x, at.y)).y; // ERROR: write-only
  out[at.y * 16 + at.x] = sum + count(counts, at);
}
