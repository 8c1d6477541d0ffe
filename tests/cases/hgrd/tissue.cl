// EXPECT: race
// OPTS: --host tissue.c
// WHY: each work-item adds to the sum of its whole row, which others read: no atomic function, no barrier.
kernel void oxygen(global float *total, global float *level, global const float *source, int rows, int columns) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < columns && y < rows) {
    level[y * columns + x] = source[y * columns + x] - total[y];
    total[y] += level[y * columns + x];
  }
}
