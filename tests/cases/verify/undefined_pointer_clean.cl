// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: both ways set it
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  global int *p;
  if (n > 3) p = a + i;
  else p = a + 2 * i;
  *p = i;
}
