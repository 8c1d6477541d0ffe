// EXPECT: clean
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: the conditions exclude each other and are the same for all work-items, so all store once and the same.
kernel void finish(global char *state, int n) {
  if (n < 10) {
    *state = 1;
  }
  if (n > 10) {
    *state = 2;
  }
}
