// EXPECT: race
// OPTS:
// BUILD: -cl-std=CL3.0
// RESTS: all work-groups have the same size
// NOTE: verified with the precondition that all groups have one size would be right, too; verified without it is wrong.
// WHY: with 6 rows in groups of 4 the second group has two rows. Its first row has number 1 * 2 + 0 = 2, as row 2 of the first group has; both store to the same elements, x the same, different values.
kernel void rows(global int *t) {
  const size_t w = get_global_size(0);
  const size_t x = get_global_id(0) - get_global_offset(0);
  const size_t y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  t[y * w + x] = get_global_id(1);
}
