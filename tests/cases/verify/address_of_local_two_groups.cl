// EXPECT: race
// OPTS: --local 16 --groups 2
// CERTAIN: no
// WHY: each group has its own local array, whose address may differ
kernel void k(global ulong *a) {
  local int tile[64];
  tile[get_local_id(0)] = 1;
  a[0] = (ulong)tile;
}
