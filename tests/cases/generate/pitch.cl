/* Rows that lie `pitch` bytes apart. --assume "pitch % 4 == 0" */
kernel void reference(global const float *in, global float *out, int pitch) {
  int i = get_global_id(0);
  out[i] = in[i * (pitch / 4)];
}

kernel void right_bytes(global const float *in, global float *out, int pitch) {
  int i = get_global_id(0);
  out[i] = *(global const float *)((global const char *)in + i * pitch);
}

/* A stride in elements for bytes. */
kernel void faulty_stride(global const float *in, global float *out, int pitch) {
  int i = get_global_id(0);
  out[i] = in[i * pitch];
}
