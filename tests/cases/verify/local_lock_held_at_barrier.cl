// EXPECT: div
// OPTS: --local 32 --groups 4
// WHY: who has the lock waits at the barrier for work-items that wait for the lock.
kernel void k(global int *a) {
  local int lock;
  const int l = get_local_id(0);
  if (l == 0) {
    lock = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_cmpxchg(&lock, 0, 1) != 0) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  a[get_group_id(0)] += l;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(&lock, 0);
}
