// EXPECT: race
// RUN: late b0:32=7,0x90000000,0x90000001,0xa0000000,0xb0000000,0xc0000000,0xd0000000,0xe0000000 b1:64 @7:7
// WHY: as ints the numbers behind the first are negative, so (int)key[0] > (int)key[i + 1] holds for all work-items, and all store their own number to out[0].
kernel void late(global const uint *key, global int *out) {
  const int i = get_global_id(0);
  const int first = (int)key[0], mine = (int)key[i + 1];
  if (mine < first) {
    out[0] = i;
  } else {
    out[i + 1] = i;
  }
}
