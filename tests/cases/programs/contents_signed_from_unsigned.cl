// EXPECT: race
// RUN: late b0:32=7,8,9,0x80000000,0x90000000,0xa0000000,0xb0000000,0xc0000000 b1:64 @7:7
// WHY: as signed numbers the last five are negative: work-items 2 to 6 store to out[0].
kernel void late(global const uint *key, global int *out) {
  const int i = get_global_id(0);
  if ((int)key[i + 1] < 0) {
    out[0] = i;
  } else {
    out[i + 1] = i;
  }
}
