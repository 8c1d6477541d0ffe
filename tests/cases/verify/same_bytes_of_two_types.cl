// EXPECT: race
// OPTS: --local 2 --groups 1
// WHY: the upper half differs
kernel void k(global int *a) {
  if (get_local_id(0) == 0) a[0] = 0x10000;
  else *(global short2 *)a = (short2)(0, 0);
}
