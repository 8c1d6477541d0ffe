// EXPECT: race
// OPTS: --local 8 --groups 1
// WHY: the counter is set to 4 at the start of each round, so each round gives place 4 and up; the stores of two rounds to result[4] are not ordered by a barrier that names local memory only.
kernel void gather(global uint *result, global const uint *mask) {
  local uint free_place;
  const uint l = get_local_id(0);
  for (uint round = 0; round < 2; round++) {
    if (l == 0) {
      free_place = 4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bit = 1; bit < 4; bit <<= 1) {
      const uint place = atomic_inc(&free_place);
      result[place] = mask[round * 8 + l] & bit;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
