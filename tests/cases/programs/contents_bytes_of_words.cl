// EXPECT: race
// RUN: place b0:512=down b1:4096 @32:16
// WHY: of each word only the lowest byte is not 0, so the second byte of each word is 0: all work-items store out[0], different numbers.
kernel void place(global const int *words, global int *out) {
  const int i = get_global_id(0);
  const uchar second = *((global const uchar *)(words + i) + 1);
  out[second] = i;
}
