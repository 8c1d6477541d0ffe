// EXPECT: clean
// OPTS: --assume "n >= 0"
// WHY: n is an int
typedef int unit;
kernel void k(global int *a, unit n) {
  if (n < 0) a[0] = get_global_id(0);
}
