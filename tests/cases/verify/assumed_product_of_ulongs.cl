// EXPECT: race
// OPTS: --local 64 --groups 1 --assume 'n * m > 0'
// WHY: n * m > 0 holds of n = m = 2^40
kernel void f(global int *a, ulong n, ulong m) {
  if (n == ((ulong)1 << 40) && m == ((ulong)1 << 40)) a[0] = get_local_id(0);
}
