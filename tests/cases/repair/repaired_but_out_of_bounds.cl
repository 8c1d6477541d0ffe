// EXPECT: refused
// SAYS: out-of-bounds
// SAYS: not offered
// OPTS: --local 64 --groups 2
// WHY: a barrier is missing between t[l] and t[l + 1], and work-item 63 reads t[64], behind the array. With the barrier put in, verify still says out of bounds; repair must say so and not only "repaired".
kernel void slope(global const int *in, global int *out) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  out[get_global_id(0)] = t[l + 1] - t[l];
}
