// EXPECT: fine
// OPTS: --local 64 --groups 2
// WHY: the vote is the same for all after the barrier, and read before the next one: all decide alike. Nothing is to be changed.
kernel void vote(global const int *want, global int *out) {
  local int any;
  const int l = get_local_id(0);
  for (int i = 0; i < 4; i++) {
    if (l == 0) {
      any = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (want[get_global_id(0) + 128 * i] > 0) {
      atomic_or(&any, 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int all = any;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!all) {
      break;
    }
  }
  out[get_global_id(0)] = l;
}
