// EXPECT: clean
// OPTS: --host mat_mul_clean.c
// WHY: each access to the sum stands between taking the lock of its element and giving it back.
kernel void multiply(global volatile float *sum, volatile global int *taken, global const float *in, int n) {
  if (get_local_id(0) == 0) {
    int at = get_group_id(0) % 16;
    while (atomic_cmpxchg(&taken[at], 0, 1) != 0)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[at] += in[get_group_id(0)] * n;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&taken[at], 0);
  }
}
