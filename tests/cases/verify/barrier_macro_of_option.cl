// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -D 'barrier(x)='
// WHY: the option makes nothing of barriers
kernel void k(global int *out) {
  local int t[16];
  t[get_local_id(0)] = 5 + get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
