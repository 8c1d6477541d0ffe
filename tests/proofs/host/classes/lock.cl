// A sum under a lock, which no proof follows. Several locks do not guard one sum.
kernel void locked_sum(global int *sum, volatile global int *locks, uint count) {
  volatile global int *lock = locks + get_group_id(0) % count;
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      *sum += get_local_id(0);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
      done = true;
    }
  }
}
