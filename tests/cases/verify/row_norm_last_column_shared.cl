// EXPECT: race
// OPTS: --local 64 --groups 4 --assume 'width > 0'
// WHY: columns run up to width itself, which is column 0 of the next row: with width = 64, work-item 0 of group 0 stores x[64] in its second step, and work-item 0 of group 1 in its first.
kernel void fill(global int *x, int width) {
  const int l = get_local_id(0), n = get_local_size(0);
  global int *const row = x + get_group_id(0) * width;
  for (int c = l; c <= width; c += n) {
    row[c] = get_group_id(0);
  }
}
