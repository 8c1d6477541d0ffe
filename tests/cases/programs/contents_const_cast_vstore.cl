// EXPECT: race
// RUN: place b0:256=down b1:4096 i0 @64:16 b0 b1 i1 @64:16
// WHY: vstore4 through a cast sets all words to 0: all work-items store to out[0].
kernel void place(global const int *words, global int *out, int step) {
  const int i = get_global_id(0);
  if (step == 0) {
    vstore4((int4)(0), i / 4, (global int *)words);
  } else {
    out[words[i]] = i;
  }
}
