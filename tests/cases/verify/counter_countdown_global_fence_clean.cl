// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: in a pass each call gives another slot; the barrier with a global fence orders the stores of two passes. Told as possible: what a counter gives is any number.
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
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
