// EXPECT: clean
// OPTS: --host tone_mapping_clean.c
// WHY: the width and the number of work-items are of one number: rows do not overlap.
kernel void tone(global const float *in, global float *out, int width, int channels) {
  int x = get_global_id(0), y = get_global_id(1);
  out[width * channels * y + x * channels] = in[y * width + x] * 0.5f;
}
