// EXPECT: race
// OPTS: --local 64 --groups 2
// NOTE: today one finding is told; with a suppression (rule data-race, kernel both, line of the first access) the report says only "suppressed" and the exit status is 0.
// WHY: two faults: t[l] and t[l ^ 1] race, and only even work-items reach the barrier in the branch. Both are certain, and both should be told: with a suppression for the first, the second is hidden and the exit status is 0.
kernel void both(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[get_global_id(0)] = t[l ^ 1];
  if (l % 2 == 0) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
