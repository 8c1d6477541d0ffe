/* Replaces the cells of each row that lie outside low..high by `fill`, and counts them. */
#define STRIDE 1 /* from one cell of a row to the next */

__kernel void replace_outliers(const int rows, const int width, const int low, const int high, const int fill,
                               __global const int *in, __global int *out, __global int *replaced) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  int count = 0;
  for (int x = 0; x < width; x++) {
    const int at = row * width + x * STRIDE;
    const int value = in[at];
    const int outside = value < low || value > high;
    out[at] = outside ? fill : value;
    if (outside)
      count++;
  }
  replaced[row] += count;
}
