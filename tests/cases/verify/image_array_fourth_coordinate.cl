// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the fourth coordinate counts for nothing
kernel void k(write_only image2d_array_t im) {
  write_imagei(im, (int4)(3, 4, 0, get_global_id(0)), (int4)(get_global_id(0)));
}
