// EXPECT: race
// RUN: smooth b0:4096 @128:16 b0 @128:32 b0 @128:64 b0 @128:8 b0 @256:128
// WHY: places are l & 63. In the fifth launch, with groups of 128, work-items l and l + 64 share one and store different numbers there.
kernel void smooth(global int *a) {
  local int t[64];
  const int l = get_local_id(0) & 63;
  t[l] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[l];
}
