// EXPECT: clean
// RUN: place b0:256=down b1:4096 @64:16
// WHY: the words are 63, 62, … 0: all different, so each work-item stores to another element.
kernel void place(global const int *words, global int *out) {
  const int i = get_global_id(0);
  out[words[i]] = i;
}
