// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: every launch has groups of 64: the proof is about none
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void k(global int *out) {
  local int t[32];
  t[get_local_id(0) & 31] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_id(0) & 31];
}
