// EXPECT: race
// OPTS: --host conv_1d.c
// BUILD: -cl-std=CL2.0
// WHY: the lock is one of work-groups, and its atomic functions reach no further than the group: nothing orders two of them.
kernel void convolve(global float *sum, volatile global atomic_int *taken, global const float *in, int n) {
  if (get_local_id(0) == 0) {
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(taken, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_work_group))
      free = 0;
    sum[0] += in[get_group_id(0)] * 0.5f;
    atomic_store_explicit(taken, 0, memory_order_release, memory_scope_work_group);
  }
}
