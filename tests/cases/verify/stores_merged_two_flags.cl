// EXPECT: race
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: with both flags set each work-item stores 1 and then 2 to state[0]. The 2 of one comes before or after the 1 of another: different values, no barrier.
kernel void finish(global char *state, int found, int failed) {
  if (found) {
    *state = 1;
  }
  if (failed) {
    *state = 2;
  }
}
