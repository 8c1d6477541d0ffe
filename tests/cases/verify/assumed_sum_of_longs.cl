// EXPECT: race
// OPTS: --local 64 --groups 1 --assume 'n + 1 > n'
// WHY: n + 1 > n holds of every whole number, so of the largest n
kernel void f(global int *a, long n) {
  if (n == 0x7fffffffffffffffL) a[0] = get_local_id(0);
}
