// The last step of a reduction: the sum of a group, which is that of all if there is one group.
kernel void last_step(global const float *parts, global float *sum, local float *scratch) {
  const int t = get_local_id(0);
  scratch[t] = parts[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0) {
    float all = 0;
    for (int i = 0; i < get_local_size(0); i++) {
      all += scratch[i];
    }
    sum[0] = all;
  }
}
