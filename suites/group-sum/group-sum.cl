/* Planted defect: one work-group prepares what all of them use.
 * Build with -D GROUP=<size of a work-group, a power of two>. */

/* The sum over the work-group, valid in its work-item 0. */
static float sum_of_group(__local float *values, const float value) {
  const int lane = get_local_id(0);
  values[lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = GROUP / 2; width > 0; width /= 2) {
    if (lane < width)
      values[lane] += values[lane + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return values[lane];
}

/* Adds up the blocks of n values, block b in group b % get_num_groups(0).
 * DEFECT: group 0 clears the sums of all groups, and nothing makes the others wait for it. */
__kernel void sum_blocks(const int n, __global const float *in, __global float *sums) {
  __local float values[GROUP];
  const int lane = get_local_id(0);
  const int group = get_group_id(0);
  const int groups = get_num_groups(0);
  if (group == 0)
    for (int g = lane; g < groups; g += GROUP)
      sums[g] = 0;
  float total = 0;
  for (int first = group * GROUP; first < n; first += groups * GROUP) {
    const int i = first + lane;
    total += sum_of_group(values, i < n ? in[i] : 0);
  }
  if (lane == 0)
    sums[group] += total;
}

/* The same done right: a group clears the one sum that it makes itself. */
__kernel void sum_own_blocks(const int n, __global const float *in, __global float *sums) {
  __local float values[GROUP];
  const int lane = get_local_id(0);
  const int group = get_group_id(0);
  float total = 0;
  for (int first = group * GROUP; first < n; first += get_num_groups(0) * GROUP) {
    const int i = first + lane;
    total += sum_of_group(values, i < n ? in[i] : 0);
  }
  if (lane == 0)
    sums[group] = total;
}

/* One work-item adds up the sums, always in the same order: sums of floats depend on it. */
__kernel void finish(const int groups, __global const float *sums, __global float *result) {
  float total = 0;
  for (int g = 0; g < groups; g++)
    total += sums[g];
  *result = total;
}
