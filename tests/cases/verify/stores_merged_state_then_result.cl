// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: each work-item stores 0 and then, with n above 10, 7. The 7 of work-item 0 and the 0 of work-item 1 meet in status[0], and they differ.
kernel void start(global int *status, int n) {
  status[0] = 0;
  if (n > 10) {
    status[0] = 7;
  }
}
