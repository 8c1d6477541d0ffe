// EXPECT: clean
// RUN: scale b0:4096 i-1 @64:16 b0 i-2 @64:16
// WHY: each work-item has an element of its own, counted from the 512th down.
kernel void scale(global int *a, int s) {
  a[512 + (int)get_global_id(0) * s] = get_global_id(0);
}
