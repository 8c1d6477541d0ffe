// EXPECT: fine
// OPTS: --local 64 --groups 4
// WHY: behind the first barrier all work-items of a group read the same go, so all or none come to the second barrier. The kernel is right as it is; without the second barrier it has a race (t[l] is written, t[63 - l] read).
kernel void mirror_some(global const int *want, global int *data) {
  local int go;
  local int t[64];
  const int l = get_local_id(0);
  if (l == 0) {
    go = want[get_group_id(0)] > 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (go) {
    t[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = t[63 - l];
  }
}
