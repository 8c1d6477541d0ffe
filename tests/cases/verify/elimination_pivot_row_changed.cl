// EXPECT: race
// OPTS: --local 32 --groups 4 --assume 'n > 0' --assume 'step >= 0' --assume 'step < n'
// WHY: rows begin at step itself, so work-item 0 changes the pivot row while work-item 1 reads it (n = 2, step = 0: a[0] and a[1]).
kernel void eliminate(global float *a, int n, int step) {
  const int r = (int)get_global_id(0) + step;
  if (r < n) {
    const float f = a[r * n + step] / a[step * n + step];
    for (int c = step; c < n; c++) {
      a[r * n + c] -= f * a[step * n + c];
    }
  }
}
