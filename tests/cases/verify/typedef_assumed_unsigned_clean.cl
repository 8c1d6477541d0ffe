// EXPECT: clean
// OPTS: --assume "n < 0x80000000"
// WHY: n is a uint
typedef uint count;
kernel void k(global int *a, count n) {
  if (n > 0x80000000u) a[0] = get_global_id(0);
}
