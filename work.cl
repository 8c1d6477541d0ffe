__kernel void work(__global int *out) {
  int i = get_global_id(0);
  if (i > 3)
    out[i] = out[i] + i;
}
