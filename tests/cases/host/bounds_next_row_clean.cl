// EXPECT: clean
// OPTS: --host bounds_next_row_clean.c
// WHY: the buffer has 81 rows of 100 floats, as the work-items of the last row read the one below it.
kernel void below(global const float *in, global float *out, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[(y + 1) * w + x];
}
