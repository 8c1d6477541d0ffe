// EXPECT: clean
// OPTS: --local 32 --groups 4
// RESTS: loops end
// WHY: one work-item of each group takes the lock and gives it back; the others wait at the barrier, not for the lock. Told as possible: locks are not followed, and a barrier behind a loop that waits for others may be waited at for ever.
kernel void k(global int *lock, global int *a) {
  local int t[32];
  const int l = get_local_id(0);
  if (l == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
  }
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[31 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    atomic_xchg(lock, 0);
  }
}
