// EXPECT: repaired
// OPTS: --local 64 --groups 2
// WHY: the tree has a barrier at the end of each turn, but none after the first store. One in front of the loop (or at the begin of a turn) makes it right: all go round six times.
kernel void sum(global const int *in, global int *out) {
  local int t[64];
  const int l = get_local_id(0);
  int s = 32;
  t[l] = in[get_global_id(0)];
  do {
    if (l < s) {
      t[l] += t[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    s >>= 1;
  } while (s > 0);
  if (l == 0) {
    out[get_group_id(0)] = t[0];
  }
}
