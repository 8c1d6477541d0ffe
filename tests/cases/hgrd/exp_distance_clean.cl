// EXPECT: clean
// OPTS: --host exp_distance_clean.c
// WHY: one work-group is launched, so one work-item writes the distance.
kernel void distance_of(global const float *a, global const float *b, global float *cost, int n) {
  local float part[64];
  int i = get_local_id(0);
  float sum = 0;
  for (int k = i; k < n; k += 64)
    sum += exp(-(a[k] - b[k]) * (a[k] - b[k]));
  part[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    float all = 0;
    for (int k = 0; k < 64; k++)
      all += part[k];
    *cost = all;
  }
}
