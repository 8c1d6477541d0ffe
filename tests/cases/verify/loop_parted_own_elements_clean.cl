// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: work-items take different numbers of turns, but nobody comes to the barrier, and each has an element of its own.
kernel void back(global int *last) {
  const int l = get_local_id(0);
  int n = 0;
again:
  if (n > 100) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (n < l) {
    n++;
    goto again;
  }
  last[get_global_id(0)] = n;
}
