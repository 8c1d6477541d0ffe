// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the counter is set again in each pass, so pass 0 and pass 1 both give slot 31; the barrier has no global fence, so nothing orders the two stores to slots[31].
kernel void passes(global int *slots) {
  local int room;
  const int l = get_local_id(0);
  for (int pass = 0; pass < 3; pass++) {
    if (l == 0) {
      room = 32;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int twice = 2;
    while (twice-- > 0) {
      slots[atomic_dec(&room) - 1] = l + pass * 100;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
