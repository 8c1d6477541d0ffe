// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: each group reserves one place only, but stores as many as it has kept: with base 0 and 1, group 0 stores out[1] for its second element and group 1 out[1] for its first.
kernel void keep_even(global const int *in, global int *out, global int *used) {
  local int kept, base;
  const int l = get_local_id(0), v = in[get_global_id(0)];
  int place = -1;
  if (l == 0) {
    kept = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((v & 1) == 0) {
    place = atomic_add(&kept, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    base = atomic_add(used, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (place >= 0) {
    out[base + place] = v;
  }
}
