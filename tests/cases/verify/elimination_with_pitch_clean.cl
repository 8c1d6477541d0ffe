// EXPECT: clean
// OPTS: --local 16,16 --assume 'n > 0' --assume 'pitch >= n' --assume 'k >= 0' --assume 'k < n'
// WHY: rows are pitch apart and columns below n, so elements do not meet; only rows and columns beyond k are changed; row k and column k are only read.
kernel void update(global float *a, int n, int pitch, int k) {
  const int row = k + 1 + (int)get_global_id(1);
  const int col = n - 1 - (int)get_global_id(0);
  if (row < n && col > k) {
    a[row * pitch + col] -= a[row * pitch + k] / a[k * pitch + k] * a[k * pitch + col];
  }
}
