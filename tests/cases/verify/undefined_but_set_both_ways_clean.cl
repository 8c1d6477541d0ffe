// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: both ways set the same
kernel void k(global int *a) {
  int v;
  if (get_local_id(0) == 0) v = 1; else v = 1;
  a[0] = v;
}
