// EXPECT: race
// OPTS: --local 32 --groups 4
// NOTE: today one finding is told; with a suppression (rule data-race, kernel both, line of the first access) the report says only "suppressed" and the exit status is 0.
// WHY: two faults in two buffers: all store to first[0], and neighbours meet in second. Each should be told.
kernel void both(global int *first, global int *second) {
  const int i = get_global_id(0);
  first[0] = i;
  second[i] = second[i + 1] + 1;
}
