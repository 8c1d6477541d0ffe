// EXPECT: clean
// WHY: locks are eight and data sixteen: who changes one element has the same lock. Told as possible: locks are not followed.
kernel void add(global int *lock, global int *sum) {
  const uint i = get_global_id(0);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(&lock[i & 7], 0, 1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      sum[i & 15] += i;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(&lock[i & 7], 0);
      done = true;
    }
  }
}
