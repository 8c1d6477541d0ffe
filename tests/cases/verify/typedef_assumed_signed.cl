// EXPECT: race
// OPTS: --assume "n < 100"
// WHY: -5 is less than 100
typedef int unit;
kernel void k(global int *a, unit n) {
  if (n < 0) a[0] = get_global_id(0);
}
