// EXPECT: race
// RESTS: products of sizes do not overflow
// WHY: with w = 2^31 the place of all even ids is 0, in 32 bits.
kernel void place(global int *a, uint w) {
  const uint i = get_global_id(0);
  if (w > 0 && (i & 1) == 0) {
    a[i * w] = i;
  }
}
