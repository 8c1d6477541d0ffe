/* Sum, minimum or maximum of n integers: a grid-stride loop, then a tree in local memory. */

static int combine(const int operation, const int a, const int b) {
  int result;
  switch (operation) {
    case 1:
      result = a < b ? a : b;
      break;
    case 2:
      result = a > b ? a : b;
      break;
    default:
      result = a + b;
  }
  return result;
}

/* One result per work-group, whose size is a power of two; `start` is the neutral element. */
__kernel void reduce(const int n, const int operation, const int start, __global const int *in, __global int *partial,
                     __local int *scratch) {
  const int lane = get_local_id(0);
  int value = start;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    value = combine(operation, value, in[i]);
  scratch[lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
    if (lane < width)
      scratch[lane] = combine(operation, scratch[lane], scratch[lane + width]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    partial[get_group_id(0)] = scratch[0];
}

/* One work-item puts the results of two or more work-groups together. */
__kernel void finish(const int count, const int operation, __global int *partial) {
  int result = partial[0];
  int i = 1;
  do {
    result = combine(operation, result, partial[i]);
    i++;
  } while (i < count);
  partial[0] = result;
}
