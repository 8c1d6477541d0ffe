/* The sum of two tiles, of which each group has a copy. */
kernel void reference(global const int *in, global int *out, local int *tile) {
  int size = get_local_size(0), sum = 0;
  for (int i = 0; i < 2 * size; i++)
    sum += in[i] & 255;
  out[get_global_id(0)] = sum;
}

kernel void right_tile(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), size = get_local_size(0), sum = 0;
  for (int t = 0; t < 2; t++) {
    tile[l] = in[t * size + l] & 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < size; i++)
      sum += tile[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

/* A stale tile: the next one may be stored before this one is read. */
kernel void faulty_stale(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), size = get_local_size(0), sum = 0;
  for (int t = 0; t < 2; t++) {
    tile[l] = in[t * size + l] & 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < size; i++)
      sum += tile[i];
  }
  out[get_global_id(0)] = sum;
}
