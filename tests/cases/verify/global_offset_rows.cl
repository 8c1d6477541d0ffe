// EXPECT: race
// OPTS: --local 8,8 --groups 4,4
// OPTS:
// RESTS: get_global_offset(
// NOTE: verified with the precondition that the global offset is 0 would be right, too; verified without it is wrong.
// WHY: with an offset of 1 in dimension 1, the work-items of row y write t[y + 1][x] and set t[y][x] to 0; those of row y + 1 set t[y + 1][x] to 0.
kernel void clear(global int *t) {
  const size_t x = get_global_id(0), w = get_global_size(0);
  const size_t y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  t[get_global_id(1) * w + x] = 7;
  t[y * w + x] = 0;
}
