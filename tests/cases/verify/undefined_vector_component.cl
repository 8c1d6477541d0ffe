// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the same of a component
kernel void k(global int *a) {
  int2 v;
  v.y = 2;
  if (get_local_id(0) < 3) v.x = 1;
  a[0] = v.x + v.y;
}
