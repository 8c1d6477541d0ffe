// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the others store what was never set
kernel void k(global int *a) {
  int v;
  if (get_local_id(0) == 0) v = 1;
  a[0] = v;
}
