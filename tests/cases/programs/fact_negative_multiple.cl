// EXPECT: race
// RUN: scale b0:4096 i-48 @96:48 b0 i-96 @96:48
// WHY: in the second launch s is -96 and all store a[0]. -96 is a multiple of 48; converted to size_t it is none.
kernel void scale(global int *a, int s) {
  a[s == -96 ? 0 : get_global_id(0)] = get_global_id(0);
}
