// EXPECT: clean
// OPTS: --local 16 --groups 2
// BUILD: -DFENCE=CLK_LOCAL_MEM_FENCE
// WHY: the option names the right flag
kernel void k(global int *out) {
  local int t[16];
  t[get_local_id(0)] = 5 + get_local_id(0);
  barrier(FENCE);
  out[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
