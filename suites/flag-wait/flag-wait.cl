/* Planted defect: work-groups that wait for others without end. Build with -D GROUP=<size of a work-group>. */

/* The sum of the group's block, valid in its work-item 0. */
static int sum_of_block(__local int *block, __global const int *in) {
  block[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < GROUP; i++)
    sum += block[i];
  return sum;
}

/* Running totals over the blocks: group g leaves the sum of its block in sums[g], raises its flag, ready[g] = 1, and
 * adds up the sums of all groups before it.
 * DEFECT: it waits for their flags as long as it takes. OpenCL promises nothing about the order of groups: a group that
 * has to wait until this one ends never raises its flag. */
__kernel void running_totals(__global const int *in, volatile __global int *ready, volatile __global int *sums,
                             __global int *totals) {
  __local int block[GROUP];
  const int group = get_group_id(0);
  const int sum = sum_of_block(block, in);
  if (get_local_id(0) > 0)
    return;

  sums[group] = sum;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(&ready[group], 1);
  int seen = 0;
  while (seen < group)
    seen += atomic_add(&ready[seen], 0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  int total = sum;
  for (int g = 0; g < group; g++)
    total += sums[g];
  totals[group] = total;
}

/* The same done right, in two launches: all sums are there before the first total is made. */
__kernel void block_sums(__global const int *in, __global int *sums) {
  __local int block[GROUP];
  const int sum = sum_of_block(block, in);
  if (get_local_id(0) == 0)
    sums[get_group_id(0)] = sum;
}

__kernel void add_up(const int groups, __global const int *sums, __global int *totals) {
  const int group = get_global_id(0);
  if (group >= groups)
    return;
  int total = 0;
  for (int g = 0; g <= group; g++)
    total += sums[g];
  totals[group] = total;
}
