// EXPECT: race
// RUN: add b0:1024 b1:1024 @256:64 b0 n @256:64
// WHY: in the second launch, with null, the barrier is jumped over by all, and each reads the neighbour's element.
kernel void add(global int *a, global int *total) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (total != 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = t[63 - l];
}
