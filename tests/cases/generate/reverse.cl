/* Each group turned round, by way of local memory or not. */
kernel void reference(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), size = get_local_size(0);
  out[get_global_id(0)] = in[get_global_id(0) - l + size - 1 - l];
}

kernel void right_tile(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), size = get_local_size(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[size - 1 - l];
}

/* A barrier left out. */
kernel void faulty_barrier(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), size = get_local_size(0);
  tile[l] = in[get_global_id(0)];
  out[get_global_id(0)] = tile[size - 1 - l];
}
