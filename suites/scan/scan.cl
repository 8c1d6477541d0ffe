/* Prefix sums: every work-group scans its own block, then the totals of the blocks before it are added.
 * Build with -D BLOCK=<size of a work-group>. */

static void wait_for_group(void) { barrier(CLK_LOCAL_MEM_FENCE); }

/* The sum of `value` over this work-item and all before it in the work-group. */
static int scan_group(__local int *sums, const int value) {
  const int lane = get_local_id(0);
  sums[lane] = value;
  wait_for_group();
  for (int step = 1; step < BLOCK; step *= 2) {
    int sum = sums[lane];
    if (lane >= step)
      sum += sums[lane - step];
    wait_for_group();
    sums[lane] = sum;
    wait_for_group();
  }
  return sums[lane];
}

/* Scans each block on its own; `exclusive` leaves an element's own value out of its sum. */
__kernel void scan_blocks(const int n, const int exclusive, __global const int *in, __global int *out,
                          __global int *totals) {
  __local int sums[BLOCK];
  const int i = get_global_id(0);
  const int value = i < n ? in[i] : 0;
  const int sum = scan_group(sums, value);
  if (i < n)
    out[i] = exclusive ? sum - value : sum;
  if (get_local_id(0) == BLOCK - 1)
    totals[get_group_id(0)] = sum;
}

/* Adds the totals of all blocks before its own to each element. */
__kernel void add_totals(const int n, __global const int *totals, __global int *out) {
  const int i = get_global_id(0);
  int block = get_group_id(0);
  int offset = 0;
  while (block > 0)
    offset += totals[--block];
  if (i < n)
    out[i] += offset;
}
