/* C = A B for a batch of small matrices, tile by tile through local memory. All are row-major: A is m x k, B (the same
 * for the whole batch) is k x n, C is m x n. Build with -D TILE=<width of the square work-group>. */

#define ELEMENT(matrix, row, column, rows, columns) \
  ((row) < (rows) && (column) < (columns) ? (matrix)[(row) * (columns) + (column)] : 0.0f)

__kernel void multiply(const int m, const int n, const int k, __global const float *a, __global const float *b,
                       __global float *c) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  const int batch = get_global_id(2);
  float sum = 0.0f;

  for (int start = 0; start < k; start += TILE) {
    tile_a[y][x] = ELEMENT(a + batch * m * k, row, start + x, m, k);
    tile_b[y][x] = ELEMENT(b, start + y, column, k, n);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < TILE; i++)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n)
    c[(batch * m + row) * n + column] = sum;
}

/* out = in transposed; `in` is rows x columns */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void transpose(const int rows, const int columns,
                                                                             __global const float *in,
                                                                             __global float *out) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  if (column >= columns || row >= rows)
    return;
  out[column * rows + row] = in[row * columns + column];
}
