// EXPECT: clean
// OPTS: --local 32 --groups 1
// RESTS: loops end
// WHY: there is no data race: total is changed under the lock. But work-items of one group spin for each other with no promise of progress: on a device that runs them in step, the one that has the lock waits for those that spin, for ever. The verdict should name that among what it rests on, such as "work-items of a group make progress while others spin in the while loop". Told as possible: locks are not followed, and a barrier behind a loop that waits for others may be waited at for ever.
kernel void add(global const int *in, global int *out) {
  local int lock, total;
  const int l = get_local_id(0);
  if (l == 0) {
    lock = 0;
    total = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_cmpxchg(&lock, 0, 1) != 0) {
  }
  mem_fence(CLK_LOCAL_MEM_FENCE);
  total += in[l];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  atomic_xchg(&lock, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    out[get_group_id(0)] = total;
  }
}
