// EXPECT: oob
// RESTS: no signed overflow
// RUN: rows b0:4000 i1048576 i1000 @4096:64
// WHY: for work-item 2048 the product is 2^31, which does not fit into an int; on a device it is negative, passes the guard, and a[row] lies far before the buffer. A verdict "verified" must at least name "no signed overflow" with its line among what it rests on.
kernel void rows(global float *a, int pitch, int limit) {
  const int row = (int)get_global_id(0) * pitch;
  if (row < limit) {
    a[row] = row;
  }
}
