// EXPECT: clean
// RUN: mirror_step b0:4096 b1:4096 @256:64 b1 b0 @256:64 b0 b1 @512:64 b1 b0 @512:64 b0 b1 @1024:64 b1 b0 @1024:64
// WHY: the buffers change places in each launch, and are two in each.
kernel void mirror_step(global const int *from, global int *to) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = from[i] + from[n - 1 - i];
}
