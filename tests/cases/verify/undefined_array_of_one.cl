// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the same of an array
kernel void k(global int *a) {
  int v[1];
  if (get_local_id(0) < 3) v[0] = 1;
  a[0] = v[0];
}
