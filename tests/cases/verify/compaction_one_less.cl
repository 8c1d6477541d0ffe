// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: a group that keeps n takes n - 1 places: its last is the first of the next group.
kernel void keep(global const int *in, global int *out, global int *used) {
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
    base = atomic_add(used, kept - 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (place >= 0) {
    out[base + place] = v;
  }
}
