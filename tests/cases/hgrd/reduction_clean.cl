// EXPECT: clean
// OPTS: --host reduction_clean.c
// WHY: one work-group is launched, so one work-item writes the sum.
kernel void reduce_final(global const float *array, global float *result, int n) {
  local float part[64];
  int i = get_local_id(0);
  float sum = 0;
  for (int k = i; k < n; k += 64)
    sum += array[k];
  part[i] = sum;
  for (int half_of = 32; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < half_of)
      part[i] += part[i + half_of];
  }
  if (i == 0)
    result[0] = part[0];
}
