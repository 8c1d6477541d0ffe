// EXPECT: clean
// RUN: shift b0:4096 b1:4096 i1 @64:64 b0 b1 i2 @64:64 b0 b1 i3 @64:64 b0 b1 i4 @64:64 b0 b1 i960 @64:64
// WHY: in the fifth launch work-item 63 reads from[1023], the last of 1024 elements.
kernel void shift(global const int *from, global int *to, int by) {
  const int i = get_global_id(0);
  to[i] = from[i + by];
}
