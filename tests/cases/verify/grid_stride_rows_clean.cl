// EXPECT: clean
// OPTS: --local 32 --groups 4 --assume 'width > 0' --assume 'height <= 100000'
// OPTS: --assume 'width > 0' --assume 'height <= 100000'
// WHY: rows are dealt out in strides of the global size, so no two work-items have the same row; c is below width. Told as possible: a sum that is narrowed is not followed as one that grows steadily.
kernel void threshold(global uchar *image, int width, int height, uchar limit) {
  int r = get_global_id(0);
  while (r < height) {
    global uchar *const line = image + r * width;
    for (int c = width - 1; c >= 0; c--) {
      line[c] = line[c] > limit ? 255 : 0;
    }
    r += get_global_size(0);
  }
}
