// EXPECT: race
// OPTS: --local 32 --groups 4 --assume 'width > 0'
// WHY: c runs up to width itself: work-item 0 stores image[width], the first element of the row of work-item 1, which that stores, too: other values, as c == width is treated as white.
kernel void threshold(global uchar *image, int width, int height) {
  int r = get_global_id(0);
  while (r < height) {
    global uchar *const line = image + r * width;
    for (int c = 0; c <= width; c++) {
      line[c] = c == width ? 255 : 7;
    }
    r += get_global_size(0);
  }
}
