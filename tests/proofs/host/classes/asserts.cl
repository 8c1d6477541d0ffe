// Copies the upper half of a matrix to the lower. Of a matrix that is not square, one work-item writes what another reads.
kernel void upper_to_lower(global float *a, int rows, int cols) {
  const int i = get_global_id(0);
  const int j = get_global_id(1);
  if (j > i && j < rows) {
    a[j * cols + i] = a[i * cols + j];
  }
}
