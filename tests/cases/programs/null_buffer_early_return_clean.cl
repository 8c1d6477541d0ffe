// EXPECT: clean
// RUN: count b0:4096 n @128:32
// WHY: total is a null pointer in this launch, so all work-items return before the store that they would share.
kernel void count(global int *x, global int *total) {
  const int i = get_global_id(0);
  x[i] = i;
  if (!total) {
    return;
  }
  total[0] = i;
}
