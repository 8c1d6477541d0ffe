// EXPECT: race
// RUN: place b0:256=down b1:4096 @64:16 b0 b1 @64:16
// WHY: the first launch leaves 5 in all places, so in the second all work-items store to out[5].
kernel void place(global int *at, global int *out) {
  const int i = get_global_id(0);
  out[at[i]] = i;
  at[i] = 5;
}
