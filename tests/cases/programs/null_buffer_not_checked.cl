// EXPECT: oob
// RUN: first b0:4096 n @64:16
// WHY: work-item 0 stores through the null pointer.
kernel void first(global int *x, global int *total) {
  const int i = get_global_id(0);
  x[i] = i;
  if (i == 0) {
    total[0] = 1;
  }
}
