// EXPECT: race
// OPTS: --local 16 --assume 'k > 0' --assume 'k <= 4' --assume 'ow > 0' --assume 'oh > 0' --assume 'n <= 1000000'
// WHY: each channel has k * k patch elements, and its first is only k after the first of the one before: with k = 2 the third of channel 0 is the first of channel 1.
kernel void patches(global int *col, int n, int k, int ow, int oh) {
  for (int at = get_global_id(0); at < n; at += get_global_size(0)) {
    const int x = at % ow, y = (at / ow) % oh, channel = at / ow / oh;
    for (int j = 0; j < k * k; j++) {
      col[((channel * k + j) * oh + y) * ow + x] = at;
    }
  }
}
