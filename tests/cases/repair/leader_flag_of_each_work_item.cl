// EXPECT: repaired
// OPTS: --local 64 --groups 4
// WHY: each work-item has its own answer, so some come to the barrier in the branch and others do not. In front of the branch all reach it, and it still orders t[l] and t[63 - l].
kernel void mirror_some(global const int *want, global int *data) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = data[get_global_id(0)];
  if (want[get_global_id(0)] > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = t[63 - l];
  }
}
