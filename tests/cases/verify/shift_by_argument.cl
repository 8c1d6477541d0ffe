// EXPECT: race
// WHY: with s = 33 the shift is by 1: ids 0 and 1 have place 0.
kernel void shifted(global int *a, uint s) {
  const uint i = get_global_id(0);
  if (s >= 32) {
    a[i >> s] = i;
  }
}
