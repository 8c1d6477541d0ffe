// EXPECT: clean
// OPTS: --local 64 --groups 2 --assume 'n > 0' --assume 'n <= 128'
// WHY: size is a power of two of at most 128. In the turn of stride s, elements at multiples of 2 * s, less 1, are written, each by one work-item, and elements at odd multiples of s, less 1, are read: never the same. A barrier separates turns.
kernel void up_sweep(global int *x, int n) {
  local int t[128];
  const int l = get_local_id(0), g = get_group_id(0);
  int size = 1;
  while (size < n) {
    size <<= 1;
  }
  t[l] = l < n ? x[g * n + l] : 0;
  t[l + 64] = l + 64 < n ? x[g * n + l + 64] : 0;
  for (int s = 1; s < size; s <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int at = (l + 1) * s * 2 - 1;
    if (at < size) {
      t[at] += t[at - s];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    x[g * n] = t[size - 1];
  }
}
