// EXPECT: race
// OPTS: --local 1 --groups 64
// OPTS: --local 64 --groups 1
// WHY: under the lock the eighth sets the counter back: the same place is given again
kernel void k(volatile global int *lock, volatile global int *c, global int *list) {
  while (atomic_cmpxchg(lock, 0, 1) != 0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  int i = atomic_inc(c);
  if (i == 7) *c = 0;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
  list[i] = get_global_id(0);
}
