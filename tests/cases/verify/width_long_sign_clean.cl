// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: the sign of a number that is not negative is 0: each has its own place
kernel void k(global int *a) {
  const ulong x = get_global_id(0);
  a[x + (x >> 63)] = get_local_id(0);
}
