/* Heat flow on a grid: in each step a cell becomes the mean of itself and its four neighbours.
 * Build with -I <folder of boundary.h>. */

#include "boundary.h"

/* The inner cells. Launched with a global offset of (1, 1), so that all neighbours exist. */
__kernel void flow_inside(const int width, __global const float *before, __global float *after) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx == 0 || dy == 0)
        sum += before[(y + dy) * width + x + dx];
  after[y * width + x] = sum / 5;
}

/* The cells of the edge. Sides 0..3 are left, right, above, below. */
__kernel void flow_edge(const int width, const int height, const int periodic, __global const float *before,
                        __global float *after) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    return;
  float sum = before[y * width + x];
  int side = 0;
  do {
    const int to_x = x + (side < 2 ? 2 * side - 1 : 0);
    const int to_y = y + (side < 2 ? 0 : 2 * side - 5);
    if (periodic)
      sum += before[wrapped(to_y, height) * width + wrapped(to_x, width)];
    else
      sum += before[clamped(to_y, height) * width + clamped(to_x, width)];
    side++;
  } while (side < 4);
  after[y * width + x] = sum / 5;
}

/* Keeps one row at a temperature. */
__kernel void heat_row(const int width, const int row, const float temperature, __global float *grid) {
  const int x = get_global_id(0);
  if (x < width) {
    grid[row * width + x] = temperature;
  }
}
