// EXPECT: oob
// OPTS: --host bounds_next_row.c
// WHY: the buffer has 80 rows of 100 floats, and the work-items of the last row read the one below it.
kernel void below(global const float *in, global float *out, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[(y + 1) * w + x];
}
