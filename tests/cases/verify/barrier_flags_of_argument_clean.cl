// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: the local flag is there whatever the argument is
kernel void k(global int *out, uint more) {
  local int t[16];
  t[get_local_id(0)] = 5;
  barrier(CLK_LOCAL_MEM_FENCE | (more & CLK_GLOBAL_MEM_FENCE));
  out[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
