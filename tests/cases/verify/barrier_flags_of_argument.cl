// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: with flags 0 nothing is ordered
kernel void k(global int *out, uint flags) {
  local int t[16];
  t[get_local_id(0)] = 5 + get_local_id(0);
  barrier(flags & CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
