// EXPECT: clean
// OPTS: --local 32 --groups 4 --assume 'n > 0' --assume 'step >= 0' --assume 'step < n'
// WHY: a work-item changes row r, which is below row step and another one for each; row step is only read.
kernel void eliminate(global float *a, int n, int step) {
  const int r = (int)get_global_id(0) + step + 1;
  if (r < n) {
    const float f = a[r * n + step] / a[step * n + step];
    for (int c = step; c < n; c++) {
      a[r * n + c] -= f * a[step * n + c];
    }
  }
}
