// EXPECT: race
// RUN: count b0:4096 n @128:32 b0 b1:16 @128:32
// WHY: in the second launch total is a buffer, and all work-items store their own number to total[0].
kernel void count(global int *x, global int *total) {
  const int i = get_global_id(0);
  x[i] = i;
  if (!total) {
    return;
  }
  total[0] = i;
}
