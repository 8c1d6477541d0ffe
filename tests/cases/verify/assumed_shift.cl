// EXPECT: race
// OPTS: --local 64 --groups 1 --assume '(1 << n) > 0'
// WHY: 1 << n is above 0 for n = 64, too (a whole number)
kernel void f(global int *a, int n) {
  if (n == 64) a[0] = get_local_id(0);
}
