// EXPECT: oob
// OPTS: --host bounds_rounded_up_no_guard.c
// WHY: the launch is rounded up to 112 columns and there is no guard: work-item (111, 79) stores to image[79 * 100 + 111], behind the 8000 bytes. (All store the same value, so there is no race.)
kernel void shade(global uchar *image, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  image[y * w + x] = 128;
}
