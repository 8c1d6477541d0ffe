// EXPECT: fine
// OPTS: --local 16 --groups 1 --optimise
// WHY: each pass gives places 0 to 31 again; the global fence of the last barrier orders the stores of two passes to the same place.
kernel void passes(global int *place) {
  local int next;
  const int l = get_local_id(0);
  for (int pass = 0; pass < 3; pass++) {
    if (l == 0) {
      next = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 2; k++) {
      place[atomic_inc(&next)] = l + 16 * pass;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
