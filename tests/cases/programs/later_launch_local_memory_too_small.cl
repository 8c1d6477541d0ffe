// EXPECT: oob
// SAYS: launch 4 of 4
// RUN: turn b0:4096 l256 @64:64 b0 l256 @128:64 b0 l256 @256:64 b0 l128 @64:64
// WHY: the fourth launch gives local memory for 32 ints, and its group has 64 work-items: work-item 32 stores to t[32].
kernel void turn(global int *a, local int *t) {
  const int l = get_local_id(0), n = get_local_size(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[n - 1 - l];
}
