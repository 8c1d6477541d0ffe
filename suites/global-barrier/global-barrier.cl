/* Planted defect: a barrier for all work-groups of a launch. */

/* One step for cell i of a ring of n. */
static int next_value(const int i, const int n, __global const int *from) {
  return (from[(i + n - 1) % n] + 2 * from[i] + from[(i + 1) % n]) % 1000;
}

/* Waits until all groups have done a step; arrived[g] is how many group g has done.
 * DEFECT: no group gets on before the last one has come. OpenCL does not promise that they are in flight together:
 * where they are not, the last one waits for a group to end that waits for it. */
static void wait_for_groups(const int step, volatile __global int *arrived) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const int groups = get_num_groups(0);
    int seen = 0;
    atomic_inc(&arrived[get_group_id(0)]);
    while (seen < groups)
      seen += atomic_add(&arrived[seen], 0) > step;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}

/* All steps in one launch, to and fro between two copies of the ring. */
__kernel void all_steps(const int steps, volatile __global int *arrived, __global int *even, __global int *odd) {
  const int i = get_global_id(0);
  const int n = get_global_size(0);
  for (int step = 0; step < steps; step++) {
    if (step % 2 == 0)
      odd[i] = next_value(i, n, even);
    else
      even[i] = next_value(i, n, odd);
    wait_for_groups(step, arrived);
  }
}

/* The same done right: one step a launch. */
__kernel void one_step(__global const int *from, __global int *to) {
  const int i = get_global_id(0);
  to[i] = next_value(i, get_global_size(0), from);
}
