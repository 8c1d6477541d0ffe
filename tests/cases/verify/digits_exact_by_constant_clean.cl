// EXPECT: clean
// WHY: w is less than 65536, so w * 65536 fits into 32 bits, and the number is put together again. Told as possible or unknown: what divisions take apart is not put together again.
kernel void place(global int *a, ushort w) {
  const uint i = get_global_id(0);
  if (w > 0) {
    a[i / w / 65536 * ((uint)w * 65536) + i % ((uint)w * 65536)] = i;
  }
}
