// EXPECT: clean
// OPTS: --local 8,8 --groups 4,4 --assume 'n > 0' --assume 'k >= 0' --assume 'k < n'
// WHY: only elements with row and column above k are changed, each by one work-item; row k and column k are only read.
kernel void update(global float *a, int n, int k) {
  const int i = (int)get_global_id(1) + k + 1, j = (int)get_global_id(0) + k + 1;
  if (i < n && j < n) {
    a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}
