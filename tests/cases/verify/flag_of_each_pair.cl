// EXPECT: div
// OPTS: --local 32 --groups 2
// WHY: even and odd work-items read other flags, which may differ: then only half of them come to the second barrier.
kernel void decide(global int *a, global const int *in) {
  local int flag[2];
  const int l = get_local_id(0);
  if (l < 2) {
    flag[l] = in[2 * get_group_id(0) + l];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (flag[l & 1]) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  a[get_global_id(0)] = l;
}
