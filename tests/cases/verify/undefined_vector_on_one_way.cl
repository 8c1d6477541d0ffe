// EXPECT: race
// CERTAIN: no
// OPTS: --local 64 --groups 4
// WHY: with n <= 3 nobody has set v
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  const int4 w = (int4)(i, i, i, i);
  int4 v;
  if (n > 3) v = w;
  a[v.x] = i;
}
