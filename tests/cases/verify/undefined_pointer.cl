// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 4
// WHY: with n <= 3 the pointer leads anywhere
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  global int *p;
  if (n > 3) p = a + i;
  *p = i;
}
