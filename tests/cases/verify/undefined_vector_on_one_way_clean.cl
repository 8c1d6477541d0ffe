// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: both ways set it
kernel void k(global int *a, int n) {
  const int i = get_global_id(0);
  const int4 w = (int4)(i, i, i, i);
  int4 v;
  if (n > 3) v = w;
  else v = w + 1;
  a[v.x] = i;
}
