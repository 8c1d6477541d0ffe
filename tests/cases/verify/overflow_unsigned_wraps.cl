// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'lo == 3000000000' --assume 'hi == 4000000000'
// WHY: unsigned sums wrap by definition: (3e9 + 4e9) mod 2^32 = 2705032704, half of it is below lo, so all store their own numbers to bad[0].
kernel void middle(global int *bad, uint lo, uint hi) {
  const uint mid = (lo + hi) / 2;
  if (mid < lo) {
    bad[0] = get_global_id(0);
  }
}
