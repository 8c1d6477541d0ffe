// EXPECT: clean
// OPTS: --local 32 --groups 2 --assume 'W > 0' --assume 'H > 0'
// WHY: b, y and x are the digits of at; put together in another order of factors they are at again, so a work-item has two elements of its own, 2 * i and 2 * i + 1.
kernel void put(global int *t, int H, int W) {
  const int at = get_global_id(0) * 2;
  const int x = at % W, rest = at / W, y = rest % H, b = rest / H;
  t[b * H * W + y * W + x] = at;
  t[b * (H * W) + W * y + x + 1] = at;
}
