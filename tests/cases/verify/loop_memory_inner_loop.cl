// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: group g begins at 64 * g, and goes back by 64 in each of g turns, in an inner loop: all groups store places 0 to 31.
kernel void k(global int *out) {
  local int first;
  const int l = get_local_id(0), g = get_group_id(0);
  if (l == 0) {
    first = g * 64;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < g; i++) {
    if (l == 0) {
      for (int j = 0; j < 2; j++) {
        first -= 32;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + l] = g;
}
