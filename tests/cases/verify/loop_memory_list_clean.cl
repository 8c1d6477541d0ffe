// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: nobody writes kept, base or list in the loop, so i is below what the group took room for. Told as possible: what a counter gives is any number.
kernel void keep(global const int *in, global int *out, global int *used) {
  local int kept, base, list[64];
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
  for (int i = l; i < kept; i += get_local_size(0)) {
    out[base + i] = list[i];
  }
}
