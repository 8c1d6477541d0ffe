// EXPECT: race
// OPTS: --local 16 --groups 2
// ALSO: divergence
// WHY: only those who read have the fence
kernel void k(global int *out) {
  local int t[1];
  if (get_local_id(0) == 0) t[0] = 5;
  barrier(get_local_id(0) != 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = t[0];
}
