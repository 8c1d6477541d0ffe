// EXPECT: oob
// SAYS: launch 4 of 4
// RUN: twice b0:4096 i1 @64:16 b0 i2 @128:16 b0 i4 @256:16 b1:1000 i1 @256:16
// WHY: buffer 1 has 250 elements, and work-items 250 to 255 of the fourth launch change elements behind its end.
kernel void twice(global int *a, int step) {
  a[get_global_id(0) * step] *= 2;
}
