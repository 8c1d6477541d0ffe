// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: the barrier names global memory, so nothing orders the store of flag and its reads.
kernel void decide(global int *a, global const int *in) {
  local int flag;
  const int l = get_local_id(0);
  if (l == 0) {
    flag = in[get_group_id(0)];
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (flag) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  a[get_global_id(0)] = l;
}
