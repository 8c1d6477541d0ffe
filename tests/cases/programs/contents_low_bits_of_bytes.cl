// EXPECT: race
// RUN: place b0:32=0xf3f2f1f0,0xe3e2e1e0,0xd3d2d1d0,0xc3c2c1c0,0xb3b2b1b0,0xa3a2a1a0,0x93929190,0x83828180 b1:4096 @32:16
// WHY: the bytes are all different, but not their lower halves: work-items 0 and 4 both store out[0].
kernel void place(global const uchar *at, global int *out) {
  const int i = get_global_id(0);
  out[at[i] & 15] = i;
}
