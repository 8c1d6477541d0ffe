// EXPECT: race
// WHY: locks are sixteen and data eight: work-items 0 and 8 change one element under two locks.
kernel void add(global int *lock, global int *sum) {
  const uint i = get_global_id(0);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(&lock[i & 15], 0, 1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      sum[i & 7] += i;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(&lock[i & 15], 0);
      done = true;
    }
  }
}
