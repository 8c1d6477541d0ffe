// EXPECT: clean
// OPTS: --host rule_110_clean.c
// WHY: the cells at the edge of a group are written and read under the lock of that edge.
kernel void step(global volatile int *edge, volatile global int *taken, global int *cell, int n) {
  int v = get_global_id(0);
  if (get_local_id(0) == 0) {
    int at = get_group_id(0) % 2;
    while (atomic_cmpxchg(&taken[at], 0, 1) != 0)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    edge[at] = edge[at] ^ n;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&taken[at], 0);
  }
  if (v < n)
    cell[v] ^= 1;
}
