// EXPECT: clean
// OPTS: --host copy_low_to_upp_clean.c
// WHY: the matrix is square, as the host asserts: the upper half is written, the lower one read.
kernel void copy(global float *a, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (j < columns && i < j)
    a[i * columns + j] = a[j * columns + i];
}
