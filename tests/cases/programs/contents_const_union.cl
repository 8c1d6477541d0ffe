// EXPECT: race
// RUN: place b0:256=down b1:4096 i0 @64:16 b0 b1 i1 @64:16
// WHY: const goes away in a union, and all words are 0 in the second launch: all work-items store to out[0].
kernel void place(global const int *words, global int *out, int step) {
  const int i = get_global_id(0);
  if (step == 0) {
    union {
      global const int *in;
      global int *out;
    } both;
    both.in = words;
    both.out[i] = 0;
  } else {
    out[words[i]] = i;
  }
}
