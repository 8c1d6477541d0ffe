// EXPECT: race
// OPTS: --local 32 --groups 1 --warp-sync 16
// WHY: 17 and 15 are of two
kernel void k(global int *out) {
  local int t[32];
  uint l = get_local_id(0);
  t[l] = l;
  out[get_global_id(0)] = t[31 - l];
}
