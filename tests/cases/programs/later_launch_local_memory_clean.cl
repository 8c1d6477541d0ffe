// EXPECT: clean
// RUN: turn b0:4096 l256 @64:64 b0 l256 @128:64 b0 l256 @256:64 b0 l128 @64:32
// WHY: the fourth launch has groups of 32, for which 32 ints are enough.
kernel void turn(global int *a, local int *t) {
  const int l = get_local_id(0), n = get_local_size(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[n - 1 - l];
}
