// EXPECT: race
// WHY: the loop goes on while the lock was free, and ends when somebody else has it: two may be behind it.
kernel void add(global int *lock, global int *sum) {
  while (atomic_cmpxchg(lock, 0, 1) == 0) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  sum[0] += get_global_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
