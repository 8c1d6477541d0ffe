// EXPECT: clean
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: each work-item stores once, and n is the same for all, so all store the same value.
kernel void start(global int *status, int n) {
  status[0] = n > 10 ? 7 : 0;
}
