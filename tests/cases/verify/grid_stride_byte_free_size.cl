// EXPECT: race
// OPTS: --groups 1
// WHY: r is a byte: with a group of 96, work-item 0 comes after three steps to 288 - 256 = 32, the first place of work-item 32. No number of this kernel is large.
kernel void fill(global int *out) {
  uchar r = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    out[r] = get_local_id(0);
    r += get_local_size(0);
  }
}
