// EXPECT: race
// RUN: scale b0:4096 i-1 i5 @64:16 b0 i-2 i6 @64:16
// WHY: in the second launch n is 6 and all store a[0]. That -2 is less than 6 holds for numbers, and not as C compares an int with a uint.
kernel void scale(global int *a, int s, uint n) {
  a[n > 5 ? 0 : get_global_id(0)] = get_global_id(0) + s;
}
