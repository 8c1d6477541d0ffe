// EXPECT: possible-ok
// OPTS: --local 32 --groups 1
// WHY: a deadlock on every device with more than one work-item: who has the lock waits at the barrier for the others, and they spin for the lock, so they never come there. The barrier is not reached by all; plain "verified" is wrong.
kernel void add(global const int *in, global int *out) {
  local int lock;
  const int l = get_local_id(0);
  if (l == 0) {
    lock = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_cmpxchg(&lock, 0, 1) != 0) {
  }
  out[get_global_id(0)] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_xchg(&lock, 0);
}
