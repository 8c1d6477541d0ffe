// EXPECT: oob
// RUN: put b0:1024 i256 @256:64 b0 i256 @128:64:128 b0 i257 @128:64:192
// WHY: the third launch has ids 192 to 319, of which those below 257 store: a[256] lies after the 256 elements of the buffer.
kernel void put(global int *a, int n) {
  if (get_global_id(0) < n) {
    a[get_global_id(0)] = 1;
  }
}
