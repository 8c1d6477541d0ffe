// EXPECT: race
// OPTS: --local 16 --groups 2
// CERTAIN: no
// WHY: the address of a private variable differs between work-items, so they store different values
kernel void k(global ulong *a) {
  int mine = get_local_id(0);
  a[0] = (ulong)&mine;
}
