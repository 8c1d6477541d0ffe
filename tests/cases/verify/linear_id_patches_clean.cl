// EXPECT: clean
// OPTS: --local 64 --assume 'k > 0' --assume 'ow > 0' --assume 'oh > 0' --assume 'n <= 1000000'
// WHY: a work-item has a place (y, x) and a channel; for each of its k * k patch elements it stores to col[(channel * k * k + j) * oh * ow + y * ow + x]. Two work-items differ in channel, y or x, and j runs below k * k.
kernel void patches(global const float *im, global float *col, int n, int k, int w, int h, int ow, int oh) {
  for (int at = get_global_id(0); at < n; at += get_global_size(0)) {
    const int x = at % ow, y = (at / ow) % oh, channel = at / ow / oh;
    for (int j = 0; j < k * k; j++) {
      col[((channel * k * k + j) * oh + y) * ow + x] = im[(channel * h + y + j / k) * w + x + j % k];
    }
  }
}
