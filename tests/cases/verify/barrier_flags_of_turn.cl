// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: in odd turns the fence is for global memory
kernel void k(global int *out, int n) {
  local int t[16];
  for (int i = 0; i < n; i++) {
    t[get_local_id(0)] = i;
    barrier(i & 1 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_id(0) ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
