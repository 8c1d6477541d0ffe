// EXPECT: refused
// OPTS: --local 64 --groups 2
// WHY: each work-item goes round l + 1 times, so no barrier in the loop is reached by all; the race is in the loop, between a turn's store and a neighbour's read.
kernel void drift(global int *out) {
  local int t[64];
  const int l = get_local_id(0);
  int s = l;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  do {
    t[l] += t[(l + 1) & 63];
  } while (s-- > 0);
  out[get_global_id(0)] = t[l];
}
