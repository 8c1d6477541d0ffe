// EXPECT: clean
// RUN: track b0:4096=iota n i9 @64:16
// WHY: best is a null pointer in this launch, so nobody stores to it; each work-item changes its own element of x.
kernel void track(global int *x, global int *best, int limit) {
  const int i = get_global_id(0);
  x[i] += limit;
  if (best && i > limit) {
    best[0] = i;
  }
}
