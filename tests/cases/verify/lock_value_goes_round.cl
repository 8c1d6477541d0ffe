// EXPECT: div
// OPTS: --local 64 --groups 2
// WHY: what is read under a lock differs by work-item, also when it comes round a loop
kernel void k(volatile global int *lock, global int *n, global int *out, int m) {
  int got = 0;
  for (int i = 0; i < m; i++) {
    while (atomic_cmpxchg(lock, 0, 1) != 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    got = *n;
    *n = got + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
  if (got & 1) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
