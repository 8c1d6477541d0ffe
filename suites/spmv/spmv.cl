/* y = A x for a sparse matrix: the elements of row r are value[e] in column[e], e from start[r] to start[r + 1] - 1. */

static float row_times(const int from, const int to, __global const int *column, __global const float *value,
                       __global const float *x) {
  float sum = 0.0f;
  for (int e = from; e < to; e++)
    sum += value[e] * x[column[e]];
  return sum;
}

__kernel void multiply(const int rows, __global const int *start, __global const int *column,
                       __global const float *value, __global const float *x, __global float *y) {
  const int row = get_global_id(0);
  if (row < rows)
    y[row] = row_times(start[row], start[row + 1], column, value, x);
}

__kernel void scale(const int rows, const float factor, __global float *y) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  y[row] *= factor;
}

/* y = factor A x: a kernel that calls two others */
__kernel void multiply_scaled(const int rows, const float factor, __global const int *start, __global const int *column,
                              __global const float *value, __global const float *x, __global float *y) {
  multiply(rows, start, column, value, x, y);
  if (factor != 1.0f)
    scale(rows, factor, y);
}

/* The number of elements in the longest row, by one work-item. */
__kernel void longest_row(const int rows, __global const int *start, __global int *longest) {
  int row = 0;
  int length = 0;
  while (row < rows) {
    length = max(length, start[row + 1] - start[row]);
    row++;
  }
  *longest = length;
}
