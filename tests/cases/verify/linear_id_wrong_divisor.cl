// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'C > 0' --assume 'H > 0' --assume 'W > 0'
// WHY: n is divided by W twice instead of by W and H: with C = 1, H = 1, W = 2, numbers 2 and 3 have n = 0 where 1 is right; 0 and 2 both store t[0].
kernel void put(global int *t, int N, int C, int H, int W) {
  const int at = get_global_id(0);
  if (at >= N * C * H * W) {
    return;
  }
  const int x = at % W, y = at / W % H, c = at / (W * H) % C, n = at / (W * W * C);
  t[((n * C + c) * H + y) * W + x] = at;
}
