// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: case 1 falls into case 2
kernel void k(global int *a) {
  int at = 5;
  switch (get_local_id(0)) { case 0: at = 0; break; case 1: at = 1; case 2: at = 2; break; default: at = 10 + get_local_id(0); }
  a[at] = get_local_id(0);
}
