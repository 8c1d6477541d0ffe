// EXPECT: race
// SAYS: launch 4 of 4
// RUN: count b0:4096 n @64:32 b0 n @128:32 b0 n @256:32 b0 b1:64 @64:32
// WHY: the first launches have no total; in the fourth all work-items store their own number to total[0].
kernel void count(global int *x, global int *total) {
  const int i = get_global_id(0);
  x[i] = i;
  if (total != 0) {
    total[0] = i;
  }
}
