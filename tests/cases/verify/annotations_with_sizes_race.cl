// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS: --assume 'n == 5'
// WHY: work-item 0 stores a[1] in its second turn, and work-item 1 stores a[1] in its first: 0 and 1.
kernel void runs(global int *a, int n) {
  __requires(n > 2);
  for (int k = 0; __invariant(k >= 0), k < n; k++) {
    a[get_global_id(0) + k] = get_global_id(0);
  }
}
