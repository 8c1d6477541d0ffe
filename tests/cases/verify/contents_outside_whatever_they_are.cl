// EXPECT: oob
// OPTS:
// WHY: with the bit of 64 set no number is below 64, whatever index holds.
kernel void mark(global int *out, global const int *index) {
  local int seen[64];
  if (get_local_id(0) == 0) {
    seen[index[get_group_id(0)] | 64] = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = seen[0];
}
