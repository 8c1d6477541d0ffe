// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: one work-item of each group takes the lock; groups that spin and groups that have the lock are independent as far as groups run at the same time. No word about work-items of one group is needed here. Told as possible: locks are not followed.
kernel void add(volatile global int *lock, global int *total, global const int *in) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    total[0] += in[get_group_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
}
