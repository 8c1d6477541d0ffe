// EXPECT: clean
// RUN: place b0:256=down b1:4096 i0 @64:16 b0 b1 i1 @64:16
// WHY: the first launch reads the words by way of other pointers: they are still all different in the second.
kernel void place(global const int *words, global int *out, int step) {
  const int i = get_global_id(0);
  if (step == 0) {
    global const char *bytes = (global const char *)words;
    global const int *own = words + i;
    out[i] = *own + bytes[0];
  } else {
    out[words[i]] = i;
  }
}
