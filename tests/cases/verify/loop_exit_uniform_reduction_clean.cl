// EXPECT: clean
// OPTS: --local 64 --groups 4
// OPTS: --assume 'power_of_two(get_local_size(0))'
// WHY: the stride is the same for all work-items of a group, so all leave in the same turn; a barrier ends each turn.
kernel void sum(global const int *in, global int *out, local int *part) {
  const uint l = get_local_id(0);
  uint half_of = get_local_size(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  do {
    half_of >>= 1;
    if (l < half_of) {
      part[l] += part[l + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (half_of > 1);
  if (l == 0) {
    out[get_group_id(0)] = part[0];
  }
}
