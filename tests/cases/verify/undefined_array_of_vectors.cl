// EXPECT: race
// CERTAIN: no
// OPTS: --local 64 --groups 4
// WHY: the second vector is set on one way only
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  const int2 w = (int2)(i, i);
  int2 v[2];
  v[0] = w;
  if (n > 3) v[1] = w;
  a[v[1].x] = i;
}
