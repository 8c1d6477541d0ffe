// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: kept begins with -2, so a group that keeps five takes three places and stores base + 1 to base + 5.
kernel void keep(global const int *in, global int *out, global int *used) {
  local int kept, base;
  const int l = get_local_id(0), v = in[get_global_id(0)];
  int place = -1;
  if (l == 0) {
    kept = -2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((v & 1) == 0) {
    place = atomic_add(&kept, 1) + 3;
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
