// EXPECT: race
// RUN: mark b0:256 b0 @64:16
// WHY: the flags are the bytes of the words: work-item 0 reads byte 252, which is of the word that work-item 63 stores.
kernel void mark(constant uchar *flag, global int *word) {
  const int i = get_global_id(0);
  word[i] = flag[252 - 4 * i] + i;
}
