/* Images. */

/* A picture of half the width: two work-items write one pixel. */
__kernel void half_width(write_only image2d_t picture) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagei(picture, (int2)(x / 2, y), (int4)(x, y, 0, 1)); //@half_width
}

__kernel void full_width(write_only image2d_t picture) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagei(picture, (int2)(x, y), (int4)(x, y, 0, 1));
}

/* One pixel by two groups. */
__kernel void one_pixel(write_only image2d_t picture) {
  if (get_local_id(0) == 0) {
    write_imagei(picture, (int2)(3, 2), (int4)((int)get_group_id(0))); //@one_pixel
  }
}

/* The same colour by all: benign. */
__kernel void one_colour(write_only image2d_t picture) {
  if (get_local_id(0) == 0) {
    write_imagei(picture, (int2)(3, 2), (int4)(1, 2, 3, 4)); //@one_colour
  }
}

/* Coordinates are exchanged, from one picture into another. If both are one picture, others' pixels are read. */
__kernel void turned(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imagei(to, at.yx, read_imagei(from, CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST, at)); //@turned
}

/* A volume whose slices all go into the first one. */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
__kernel void slices(write_only image3d_t volume, int slice) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  write_imagei(volume, (int4)(x, y, z * slice, 0), (int4)(x, y, z, 1)); //@slices
}

/* Neighbours of a group exchange pixels. Before OpenCL C 2.0 images are global memory to a barrier. */
__kernel void exchanged(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  int4 seen = read_imagei(from, CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST, (int2)(at.x ^ 1, at.y));
  barrier(CLK_GLOBAL_MEM_FENCE);
  write_imagei(to, at, seen);
}
