// EXPECT: clean
// OPTS:
// OPTS: --local 32 --groups 2
// WHY: all read the same flag behind the barrier, so all come to the second barrier or none.
kernel void decide(global int *a, global const int *in) {
  local int flag;
  const int l = get_local_id(0);
  if (l == 0) {
    flag = in[get_group_id(0)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (flag) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  a[get_global_id(0)] = l;
}
