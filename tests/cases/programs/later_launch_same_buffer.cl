// EXPECT: race
// SAYS: launch 5 of 5
// RUN: blur b0:4096 b1:4096 i64 @64:16 b0 b1 i128 @128:16 b1 b0 i256 @256:16 b0 b1 i512 @512:16 b0 b0 i1000 @1024:16
// WHY: the fifth launch has one buffer as from and as to: work-item 1 stores element 1, work-item 2 reads element 1.
kernel void blur(global const float *from, global float *to, int n) {
  const int i = get_global_id(0);
  if (i > 0 && i < n) {
    to[i] = 0.5f * (from[i - 1] + from[i]);
  }
}
