// EXPECT: clean
// OPTS: --host copy_from_tp_clean.c
// WHY: the matrix is square, as the host asserts, so no two work-items write one element of it.
kernel void copy(global float *a, global const float *packed, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (j <= i && i < rows) {
    float v = packed[i * (i + 1) / 2 + j];
    a[i * columns + j] = v;
  }
}
