// EXPECT: clean
// WHY: 64 bytes each
kernel void k(global uchar *a) {
  global uchar *p = a + get_global_id(0) * 64;
  for (int i = 0; i < 64; i++) {
    *p = get_global_id(0);
    p++;
  }
}
