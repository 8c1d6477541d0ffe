// EXPECT: race
// OPTS:
// OPTS: --local 64 --groups 4
// RESTS: get_global_offset(
// NOTE: verified with the precondition that the global offset is 0 would be right, too; verified without it is wrong.
// WHY: a launch may have a global offset. With offset 1, work-item 0 of group 0 writes a[1], and work-item 1, whose seen is 1, reads a[1].
kernel void prefix(global int *a) {
  const size_t seen = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[get_global_id(0)] = a[seen] + 1;
}
