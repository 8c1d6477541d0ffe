// EXPECT: repaired
// OPTS: --local 64 --groups 2
// WHY: as repaired_but_out_of_bounds, with an array that is large enough.
kernel void slope(global const int *in, global int *out) {
  local int t[65];
  const int l = get_local_id(0);
  if (l == 0) {
    t[64] = 0;
  }
  t[l] = in[get_global_id(0)];
  out[get_global_id(0)] = t[l + 1] - t[l];
}
