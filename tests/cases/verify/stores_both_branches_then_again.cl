// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: each stores two numbers to its neighbour's element and then the same 0: the first of the stores already races with the neighbour's.
kernel void marks(global int *a, int odd) {
  const int i = get_global_id(0);
  if (odd) {
    a[i] = i;
  }
  if (!odd) {
    a[i + 1] = i;
  }
  a[i] = 0;
}
