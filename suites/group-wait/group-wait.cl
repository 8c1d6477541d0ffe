/* Planted defect: work-groups that wait for each other. Build with -D GROUP=<size of a work-group>. */

/* Running totals over the blocks: group g adds its block to total[g], which the group before it has made, and leaves
 * total[g + 1] to the next. ready[g] is not 0 once total[g] is there.
 * DEFECT: OpenCL promises nothing about the order of groups, so group g - 1 may not start before group g ends. The
 * patience of `limit` looks at the flag makes a wrong result out of the deadlock. */
__kernel void running_total(const int limit, __global const int *in, volatile __global int *ready,
                            volatile __global int *total, __global int *gave_up) {
  __local int block[GROUP];
  const int lane = get_local_id(0);
  const int group = get_group_id(0);
  block[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane > 0)
    return;

  int sum = 0;
  for (int i = 0; i < GROUP; i++)
    sum += block[i];
  int looks = 0;
  while (atomic_add(&ready[group], 0) == 0 && looks < limit)
    looks++;
  if (atomic_add(&ready[group], 0) == 0)
    atomic_inc(gave_up);
  total[group + 1] = total[group] + sum;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(&ready[group + 1], 1);
}
