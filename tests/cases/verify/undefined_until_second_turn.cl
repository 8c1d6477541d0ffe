// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: with one turn nothing was put into it
kernel void k(global int *a, int n) {
  int v;
  for (int i = 0; i < n; i++) if (i > 0) v = 7;
  a[0] = v;
}
