// EXPECT: race
// OPTS: --local 128 --groups 4
// WHY: the group of row r reads row r + 1, which the next group changes: with width 1, work-item 0 of group 0 reads x[1], which work-item 0 of group 1 stores.
kernel void smooth(global float *x, int width) {
  const int l = get_local_id(0), n = get_local_size(0);
  global float *const row = x + get_group_id(0) * width;
  for (int c = l; c < width; c += n) {
    row[c] = 0.5f * (row[c] + row[c + width]);
  }
}
