/* Planted defect: a list of results that is handed on before they are all in it. */

/* A job of so many steps. */
static uint job(uint value, const int steps) {
  for (int step = 0; step < steps; step++)
    value = value * 1664525 + 1013904223;
  return value >> 16;
}

/* Adds up what is in the list: result = {results, their sum}. */
static void work_off(volatile __global int *tail, volatile __global const uint *list, __global uint *result) {
  const int count = atomic_add(tail, 0);
  uint sum = 0;
  for (int i = 0; i < count; i++)
    sum += list[i];
  result[0] = count;
  result[1] = sum;
}

/* Work-item i does job i and puts its result into the list; the last group to arrive works the list off.
 * DEFECT: work-item 0 announces its group while others of the group still do their jobs: the barrier is missing. */
__kernel void do_jobs(const int n, __global const int *steps, volatile __global int *tail, volatile __global uint *list,
                      volatile __global int *arrived, __global uint *result) {
  const int i = get_global_id(0);
  if (i < n)
    list[atomic_inc(tail)] = job(i, steps[i]);
  if (get_local_id(0) == 0 && atomic_inc(arrived) == get_num_groups(0) - 1)
    work_off(tail, list, result);
}

/* The same done right: a group has arrived when all its results are in the list, for all groups to see. */
__kernel void do_jobs_fenced(const int n, __global const int *steps, volatile __global int *tail,
                             volatile __global uint *list, volatile __global int *arrived, __global uint *result) {
  const int i = get_global_id(0);
  if (i < n)
    list[atomic_inc(tail)] = job(i, steps[i]);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && atomic_inc(arrived) == get_num_groups(0) - 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_off(tail, list, result);
  }
}
