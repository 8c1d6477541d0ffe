// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: nobody sets kept, which may be -7: the places of a group are then -7 and so on, and those that are not below 0 lie outside of its room.
kernel void keep(global const int *in, global int *out, global int *used) {
  local int kept, base;
  const int l = get_local_id(0), v = in[get_global_id(0)];
  int place = -1;
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
