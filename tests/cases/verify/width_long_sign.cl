// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: the sign alone is 0 for all
kernel void k(global int *a) {
  const ulong x = get_global_id(0);
  a[x >> 63] = get_local_id(0);
}
