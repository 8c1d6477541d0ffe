/* Planted defect: work-groups that change a global value without synchronisation. Build with -D GROUP=<size of a
 * work-group, a power of two>. */

/* The mean over the work-group, valid in its work-item 0. */
static float mean_of_group(__local float *values, const float value) {
  const int lane = get_local_id(0);
  values[lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = GROUP / 2; width > 0; width >>= 1) {
    if (lane < width) {
      values[lane] += values[lane + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return values[0] / GROUP;
}

/* Lets `level` follow the means of the groups, an eighth of the way each time.
 * DEFECT: it is read, changed and written in whatever order the groups run, and updates get lost. */
__kernel void follow(const int n, __global const int *in, __global float *level) {
  __local float values[GROUP];
  const int i = get_global_id(0);
  const float mean = mean_of_group(values, i < n ? in[i] : 0.0f);
  if (get_local_id(0) == 0)
    *level += (mean - *level) / 8;
}

/* The highest value: the same kind of update done right. */
__kernel void highest(const int n, __global const int *in, __global int *peak) {
  const int i = get_global_id(0);
  if (i < n)
    atomic_max(peak, in[i]);
}
