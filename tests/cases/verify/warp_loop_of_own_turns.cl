// EXPECT: race
// OPTS: --local 16 --groups 1 --warp-sync 16
// WHY: work-items leave the loop in other turns, and read what others still write
kernel void k(global int *out) {
  local int t[16];
  uint l = get_local_id(0);
  for (uint i = 0; i < l; i++) t[l] = i;
  out[get_global_id(0)] = t[l ^ 1];
}
