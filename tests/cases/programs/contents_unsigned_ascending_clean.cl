// EXPECT: clean
// RUN: late b0:32=7,8,9,0x80000000,0x90000000,0xa0000000,0xb0000000,0xc0000000 b1:64 @7:7
// WHY: as unsigned numbers the keys ascend, so no work-item comes to out[0].
kernel void late(global const uint *key, global int *out) {
  const int i = get_global_id(0);
  if (key[i + 1] < key[0]) {
    out[0] = i;
  } else {
    out[i + 1] = i;
  }
}
