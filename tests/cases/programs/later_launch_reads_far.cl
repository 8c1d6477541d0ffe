// EXPECT: oob
// SAYS: launch 5 of 5
// RUN: shift b0:4096 b1:4096 i1 @64:64 b0 b1 i2 @64:64 b0 b1 i3 @64:64 b0 b1 i4 @64:64 b0 b1 i1000 @64:64
// WHY: in the fifth launch work-item 24 reads from[24 + 1000], and there are 1024 elements.
kernel void shift(global const int *from, global int *to, int by) {
  const int i = get_global_id(0);
  to[i] = from[i + by];
}
