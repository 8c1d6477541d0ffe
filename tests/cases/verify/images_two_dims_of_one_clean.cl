// EXPECT: clean
// OPTS: --local 8 --groups 2
// WHY: width and the first part of dim are one number.
kernel void check(read_only image2d_t a, global int *bad) {
  if (get_image_dim(a).x != get_image_width(a)) {
    bad[0] = get_global_id(0);
  }
}
