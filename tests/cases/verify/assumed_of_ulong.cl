// EXPECT: race
// OPTS: --local 64 --groups 1 --assume 'n > 5'
// WHY: n = 2^63 is more than 5, as in C
kernel void f(global int *a, ulong n) {
  if (n > 0x7fffffffffffffffUL) a[0] = get_local_id(0);
}
