// EXPECT: race
// RESTS: products of sizes do not overflow
// WHY: rotating is a bijection, but with w = 2^31 the product itself is 0 for ids 0 and 2.
kernel void place(global int *a, uint w) {
  const uint i = get_global_id(0);
  if (w > 0) {
    a[rotate(i * w, 16u)] = i;
  }
}
