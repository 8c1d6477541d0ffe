// EXPECT: race
// RESTS: products of sizes do not overflow
// WHY: with w = 65537 the product w * 65536 is 65536 in 32 bits. i / w / 65536 is 0 for all ids, so ids 0 and 65536 have place 0.
kernel void place(global int *a, uint w) {
  const uint i = get_global_id(0);
  if (w > 0 && w * 65536 > 0) {
    a[i / w / 65536 * (w * 65536) + i % (w * 65536)] = i;
  }
}
