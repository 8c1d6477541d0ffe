// EXPECT: clean
// OPTS: --host copy_from_vec_clean.c
// WHY: the stride is the number of elements of the vector, for which memory was made: it is positive.
kernel void copy_rows(global float *matrix, int stride, int rows, global const float *vector, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < size && y < rows)
    matrix[y * stride + x] = vector[x];
}
