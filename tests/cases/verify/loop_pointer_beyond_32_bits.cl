// EXPECT: race
// WHY: with n = 2^33 + 1 a work-item comes to the first byte of the next
kernel void k(global uchar *a, ulong n) {
  global uchar *p = a + get_global_id(0) * 0x200000000ul;
  for (ulong left = n; left > 0; left = left > 1 ? left - 1 : 0) {
    *p = get_global_id(0);
    p++;
  }
}
