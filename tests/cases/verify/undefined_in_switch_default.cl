// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the other ways put nothing into it
kernel void k(global int *a) {
  int v;
  switch (get_local_id(0)) { case 0: v = 7; break; case 1: v = 7; break; }
  a[0] = v;
}
