// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: what is put on the stack are numbers 8 * i to 8 * i + 7 only, and 8 * i + 7 belongs to the same work-item. Told as possible: what stands in an array of places is not known after a loop that is not written out.
kernel void flood(global const int *seed, global int *mark) {
  int stack[8], top = 0;
  const int i = get_global_id(0);
  for (int k = 0; k < 8; k++) {
    if (seed[8 * i + k] > 0) {
      stack[top++] = 8 * i + k;
    }
  }
  while (top > 0) {
    mark[stack[--top]] = i;
  }
}
