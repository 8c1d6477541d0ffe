// EXPECT: clean
// OPTS: --local 16 --groups 1 --warp-sync 16
// WHY: all are of one, instruction by instruction
kernel void k(global int *out) {
  local int t[16];
  uint l = get_local_id(0);
  t[l] = l;
  out[get_global_id(0)] = t[15 - l];
}
