// EXPECT: race
// OPTS:
// OPTS: --local 32 --groups 2
// RESTS: get_global_offset(
// NOTE: verified with the precondition that the global offset is 0 would be right, too; verified without it is wrong.
// WHY: without an offset nobody is behind the global size; with offset 2 the last two work-items are, and both write overflow[0], with different numbers.
kernel void guard(global int *a, global int *overflow) {
  const size_t g = get_global_id(0);
  if (g < get_global_size(0)) {
    a[g] = 1;
  } else {
    overflow[0] = get_local_id(0);
  }
}
