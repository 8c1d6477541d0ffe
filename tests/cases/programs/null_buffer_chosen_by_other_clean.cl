// EXPECT: clean
// RUN: either b0:4096 n @64:16
// WHY: where second is null the work-items store to elements of first, each to its own.
kernel void either(global int *first, global int *second) {
  const int i = get_global_id(0);
  if (second == 0) {
    first[i] = i;
  } else {
    second[i / 2] = i;
  }
}
