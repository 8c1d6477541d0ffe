// EXPECT: clean
// WHY: s is 0 modulo 32.
kernel void shifted(global int *a, uint s) {
  const uint i = get_global_id(0);
  if ((s & 31) == 0) {
    a[i >> s] = i;
  }
}
