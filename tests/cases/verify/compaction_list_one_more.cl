// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: the work-item whose number is kept stores, too: to the first place of the next group.
kernel void keep(global const int *in, global int *out, global int *used) {
  local int kept, base, list[33];
  const int l = get_local_id(0), v = in[get_global_id(0)];
  if (l == 0) {
    kept = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((v & 1) == 0) {
    list[atomic_inc(&kept)] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    base = atomic_add(used, kept);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l <= kept) {
    out[base + l] = list[l];
  }
}
