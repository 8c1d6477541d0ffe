// EXPECT: oob
// CERTAIN: no
// OPTS:
// RESTS: 0 <= index[i] && index[i] < 64' shows
// WHY: only numbers of index outside of 0 to 63 leave the array, and what index holds is the host's to say.
kernel void mark(global int *out, global const int *index) {
  local int seen[64];
  if (get_local_id(0) == 0) {
    seen[index[get_group_id(0)]] = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = seen[0];
}
