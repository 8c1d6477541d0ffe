// EXPECT: clean
// OPTS: --host copy_upp_to_low_clean.c
// WHY: the matrix is square, as the host asserts: the lower half is written, the upper one read.
kernel void copy(global float *a, int rows, int columns) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < rows && j < i)
    a[i * columns + j] = a[j * columns + i];
}
