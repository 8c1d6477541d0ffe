// EXPECT: race
// RUN: place b0:256=iota b1:4096 @64:16
// WHY: the words are 0, 1, 2 …, below 65536, so their upper halves are all 0: all work-items store out[0], different numbers.
kernel void place(global const uint *words, global int *out) {
  const int i = get_global_id(0);
  const ushort2 parts = ((global const ushort2 *)words)[i];
  out[parts.y] = i;
}
