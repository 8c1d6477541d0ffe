// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: the flag for local memory is there for all
kernel void k(global int *out) {
  local int t[1];
  if (get_local_id(0) == 0) t[0] = 5;
  barrier(CLK_LOCAL_MEM_FENCE | (get_local_id(0) & 1 ? CLK_GLOBAL_MEM_FENCE : 0));
  out[get_global_id(0)] = t[0];
}
