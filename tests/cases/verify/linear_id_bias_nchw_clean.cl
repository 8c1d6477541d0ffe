// EXPECT: clean
// OPTS: --local 64
// OPTS: --local 64 --groups 8 --assume 'C > 0' --assume 'H > 0' --assume 'W > 0' --assume 'N > 0'
// WHY: n, c, y, x are the digits of the linear number to the bases C, H, W; put together again they give the number itself, which is another one for each work-item. Told as possible or unknown: what divisions take apart is not put together again.
kernel void add_bias(global float *t, global const float *bias, int N, int C, int H, int W) {
  const int at = get_global_id(0);
  if (at >= N * C * H * W) {
    return;
  }
  const int x = at % W, y = at / W % H, c = at / (W * H) % C, n = at / (W * H * C);
  t[((n * C + c) * H + y) * W + x] += bias[c];
}
