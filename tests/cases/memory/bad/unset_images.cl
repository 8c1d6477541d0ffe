// IMAGE: never 16 8 rgba_f32 none
// IMAGE: left 16 8 r_u32 none
// IMAGE: colours 16 8 rgba_u8 none
// BUFFER: sums float 128 zeros
// BUFFER: counts uint 128 zeros
// BUFFER: marks int 128 zeros
// KERNEL: draw
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: left
// KERNEL: add
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: never
// ARG: sums
// KERNEL: count
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: left
// ARG: counts
// KERNEL: mark
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: colours
// ARG: marks
// READ: sums
// READ: counts
// READ: marks
// WHY: images that nobody has written, one of them in its right left, are read, with a sampler and without.
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void draw(write_only image2d_t left) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (at.x < 8)
    write_imageui(left, at, (uint4)(at.x + at.y));
}

kernel void add(read_only image2d_t never, global float *sums) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 p = read_imagef(never, near, at); // ERROR: uninitialized-read
  sums[at.y * 16 + at.x] = fmax(p.x, 0.0f) + p.y;
}

uint twice(read_only image2d_t from, int2 at) {
  return 2 * read_imageui(from, at).x; // ERROR: uninitialized-read
}

kernel void count(read_only image2d_t left, global uint *counts) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  counts[at.y * 16 + at.x] = twice(left, at) + 1;
}

kernel void mark(read_only image2d_t colours, global int *marks) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (read_imageui(colours, at).z > 7) // ERROR: uninitialized-read
    marks[at.y * 16 + at.x] = 1;
}
