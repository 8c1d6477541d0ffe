// EXPECT: race
// RUN: place b0:256=down b1:4096 i0 @64:16 b0 b1 i1 @64:16
// WHY: a function sets all words to 0 through a pointer without const: all work-items store to out[0].
void zero(global const int *at) { *(global int *)at = 0; }
kernel void place(global const int *words, global int *out, int step) {
  const int i = get_global_id(0);
  if (step == 0) {
    zero(words + i);
  } else {
    out[words[i]] = i;
  }
}
