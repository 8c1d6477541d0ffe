// EXPECT: race
// CERTAIN: no
// OPTS: --local 64 --groups 4
// WHY: with n <= 3 nobody has set the element
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  int big[80];
  if (n > 3) big[3] = i;
  a[big[3]] = i;
}
