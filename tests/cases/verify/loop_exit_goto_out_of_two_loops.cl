// EXPECT: div
// OPTS:
// OPTS: --local 8 --groups 8
// WHY: work-item 0 leaves both loops at x = 0 if column[0] is 0; work-item 1 goes on to the next barrier if column[1] is 1 and w is 2.
kernel void find(global const int *column, global int *found, int w, int h) {
  const int want = column[get_global_id(0)];
  int y, x = 0;
  for (y = 0; y < h; y++) {
    for (x = 0; x < w; x++) {
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (want == x) {
        goto out;
      }
    }
  }
out:
  found[get_global_id(0)] = y * w + x;
}
