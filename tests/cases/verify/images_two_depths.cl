// EXPECT: race
// OPTS: --local 8 --groups 2
// WHY: a volume may be deeper than the other: then all store their own number to bad[0].
kernel void check(read_only image3d_t a, read_only image3d_t b, global int *bad) {
  if (get_image_depth(a) > get_image_depth(b)) {
    bad[0] = get_global_id(0);
  }
}
