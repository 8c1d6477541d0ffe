// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: with n = 0 nobody sets kept, which may be -7: see compaction_not_reset.
kernel void keep(global const int *in, global int *out, global int *used, int n) {
  local int kept, base;
  const int l = get_local_id(0), v = in[get_global_id(0)];
  int place = -1;
  if (n > 0) {
    if (l == 0) {
      kept = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if ((v & 1) == 0) {
    place = atomic_add(&kept, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    base = atomic_add(used, kept);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (place >= 0) {
    out[base + place] = v;
  }
}
