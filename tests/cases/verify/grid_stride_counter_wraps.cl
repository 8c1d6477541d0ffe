// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: r is a byte: 0 + 3 * 96 comes round to 32, which is the first place of work-item 32; both store their own number there. As a number of more bits it would be another for each work-item.
kernel void fill(global int *out, int turns) {
  uchar r = get_local_id(0);
  const uint step = 96;
  for (int k = 0; k < turns; k++) {
    out[r] = get_local_id(0);
    r += step;
  }
}
