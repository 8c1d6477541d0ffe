// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: with w = -2 the unsigned quotient is 0 for all ids, so all store to a[0] their own number.
kernel void rows(global int *a, int w) {
  const uint i = get_global_id(0);
  a[i / (uint)w] = i;
}
