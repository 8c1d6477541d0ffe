// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: work-item 0 sets the flag of the next round while others still read that of this one: there is one barrier in a round where two are needed.
kernel void rounds(global int *a) {
  local int go;
  const int l = get_local_id(0);
  for (int i = 0; i < 4; i++) {
    if (l == 0) {
      go = a[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (go) {
      a[64 + get_global_id(0)] = i;
    }
  }
}
