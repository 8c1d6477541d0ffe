// EXPECT: clean
// RUN: spread b0:65536 i1 @64:16 b0 i2 @64:16 b0 i3 @64:16 b0 i4 @64:16
// WHY: each work-item has its own element in all launches.
kernel void spread(global int *a, int stride) {
  a[get_global_id(0) * stride] = get_global_id(0);
}
