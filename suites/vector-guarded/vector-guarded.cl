/* Vector operations whose launch is longer than the vector: a guard keeps the spare work-items off its end. */

/* y = a x + y */
__kernel void axpy(const int n, const float a, __global const float *x, __global float *y) {
  const int i = get_global_id(0);
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

/* Brings y into low..high, four elements a work-item; the last, incomplete four are done one by one. */
__kernel void limit(const int n, const float low, const float high, __global float *y) {
  const int first = 4 * (int)get_global_id(0);
  if (first >= n)
    return;
  if (first + 4 <= n) {
    float4 four = vload4(0, y + first);
    four = four < low ? (float4)(low) : four;
    four = four > high ? (float4)(high) : four;
    vstore4(four, 0, y + first);
  } else {
    for (int i = first; i < n; i++)
      y[i] = y[i] < low ? low : y[i] > high ? high : y[i];
  }
}
