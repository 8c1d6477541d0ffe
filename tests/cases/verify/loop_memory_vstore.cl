// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: vstore4 in the loop sets the beginning to 0 in all groups.
kernel void k(global int *out, int m) {
  local int f[4];
  if (get_local_id(0) == 0) {
    f[0] = get_group_id(0) * 32;
    f[1] = f[2] = f[3] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int l = get_local_id(0);
  for (int i = 0; i < m; i++) {
    if (l == 0)
      vstore4((int4)(0), 0, f);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[f[0] + l] = get_group_id(0);
}
