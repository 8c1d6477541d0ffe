// EXPECT: clean
// OPTS: --host conv_separable_clean.c
// WHY: the pitch is the number of work-items of a row, times eight.
kernel void rows(global const float *in, global float *out, int pitch) {
  int base = get_group_id(0) * 8 * 16 + get_local_id(0), y = get_global_id(1);
  for (int k = 0; k < 8; k++)
    out[y * pitch + base + k * 16] = in[y * pitch + base + k * 16] * 0.25f;
}
