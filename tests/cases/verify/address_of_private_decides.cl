// EXPECT: race
// OPTS: --local 16 --groups 2
// CERTAIN: no
// WHY: whether the address has a bit is not the same for all: 0 and 1 are stored
kernel void k(global int *a) {
  int mine[3];
  mine[get_local_id(0) % 3] = 1;
  a[0] = ((ulong)&mine[0] & 64) != 0;
}
