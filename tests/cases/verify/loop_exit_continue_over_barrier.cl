// EXPECT: div
// OPTS: --local 16 --groups 1
// WHY: in turn 0 work-item 0 goes on with the next turn before the barrier, and work-item 1 comes to it.
kernel void skip(global int *a, int n) {
  const int l = get_local_id(0);
  for (int i = 0; i < 8; i++) {
    if (i == l) {
      continue;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[l] = i;
  }
}
