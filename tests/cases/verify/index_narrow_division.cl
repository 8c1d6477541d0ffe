// EXPECT: race
// OPTS: --local 4 --groups 2 --assume 'n > 0' --assume 'm > 0' --assume 'n <= 1000' --assume 'm <= 1000'
// WHY: -2 as a short is no 65534: x / -2 is 0 for x = 0 and 1, so both store to a[n * m].
kernel void meet(global int *a, int n, int m) {
  const short2 x = (short2)(get_local_id(0), 0) / (short2)(-2);
  a[n * m - x.x * 64] = get_local_id(0);
}
