// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: group g begins at 32 * g, and its 32 work-items count 4 - g times each: all groups store places 128 to 159.
kernel void k(global int *out) {
  local int first;
  const int l = get_local_id(0), g = get_group_id(0);
  if (l == 0) {
    first = g * 32;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 4 - g; i++) {
    atomic_inc(&first);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + l] = g;
}
