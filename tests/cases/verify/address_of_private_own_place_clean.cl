// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: each work-item has its own element, whatever the address is
kernel void k(global ulong *a) {
  int mine = get_local_id(0);
  a[get_global_id(0)] = (ulong)&mine;
}
