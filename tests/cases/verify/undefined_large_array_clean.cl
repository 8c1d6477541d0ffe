// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: both ways set it
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  int big[80];
  big[3] = i + 1;
  if (n > 3) big[3] = i;
  a[big[3]] = i;
}
