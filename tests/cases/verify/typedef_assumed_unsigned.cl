// EXPECT: race
// OPTS: --assume "n > 5"
// WHY: 2^31 + 1 is greater than 5
typedef uint count;
kernel void k(global int *a, count n) {
  if (n > 0x80000000u) a[0] = get_global_id(0);
}
