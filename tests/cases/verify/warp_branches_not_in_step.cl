// EXPECT: race
// OPTS: --local 16 --groups 1 --warp-sync 16
// WHY: two branches of an if are not in step
kernel void k(global int *out) {
  local int t[16];
  uint l = get_local_id(0);
  if (l & 1) t[l] = 1; else out[get_global_id(0)] = t[l + 1];
}
