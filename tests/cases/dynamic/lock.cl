// The last group to take the lock leaves its number: its accesses are ordered, and the order is left open.
__kernel void k(__global int *o, __global int *c) {
  if (get_local_id(0) == 0) {
    volatile __global int *v = (volatile __global int *)o;
    while (atomic_cmpxchg(&c[0], 0, 1) != 0)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    v[5] = get_group_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&c[0], 0);
  }
}
