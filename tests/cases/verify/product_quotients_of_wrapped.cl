// EXPECT: race
// RESTS: products of sizes do not overflow
// WHY: 65537 * 65537 is 131073 in 32 bits. i / w / h is 0 for all ids, so ids 0 and 131073 have place 0.
kernel void place(global int *a, uint w, uint h) {
  const uint i = get_global_id(0);
  if (w > 0 && h > 0 && w * h > 0) {
    a[i / w / h * (w * h) + i % (w * h)] = i;
  }
}
