// EXPECT: race
// WHY: each work-item clears 17 bytes from 16 * i on, so the first byte of the next one, which that one sets to 1.
kernel void clear(global uchar *b) {
  const size_t i = get_global_id(0);
  b[16 * i] = 1;
  for (int j = 1; j < 17; j++) {
    b[16 * i + j] = 0;
  }
}
