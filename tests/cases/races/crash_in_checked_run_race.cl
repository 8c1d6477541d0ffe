// EXPECT: unchecked
// RUN: smear b0:4096 i5 @64:32
// WHY: behind the barrier of a turn, work-item 0 reads row[1] while work-item 1 writes it. The result is never used, which a compiler may make much of; the race is there in the source.
kernel void smear(global const int *in, int turns) {
  local int row[32];
  const int l = get_local_id(0);
  row[l] = in[get_global_id(0)];
  for (int k = 0; k < turns; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    row[l] = row[(l + 1) & 31] + k;
  }
}
