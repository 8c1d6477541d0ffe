// EXPECT: race
// OPTS: --local 64 --groups 2
// WHY: in the first turn the pointer is null, and all write out[0]
kernel void k(global int *out, int n) {
  local int t[64];
  local int *q = 0;
  for (int i = 0; i < n; i++) {
    if (q == 0) out[0] = get_global_id(0);
    q = t + get_local_id(0);
    *q = i;
  }
}
