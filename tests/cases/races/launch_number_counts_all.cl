// EXPECT: race
// SAYS: launch 4,
// RUN: spread b0:65536 i1 @64:16 b0 i2 @64:16 b0 i3 @64:16 b0 i0 @64:16
// WHY: with stride 0 all work-items of the fourth launch store a[0]; in the first three each has its own element.
kernel void spread(global int *a, int stride) {
  a[get_global_id(0) * stride] = get_global_id(0);
}
