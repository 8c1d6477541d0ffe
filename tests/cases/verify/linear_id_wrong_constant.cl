// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'W > 0'
// WHY: at / 8 is no digit to the base 7: with W = 1, numbers 0 and 7 have x = 0, y = 0 and z = 0, and both store t[0].
kernel void put(global int *t, uint W) {
  const uint at = get_global_id(0);
  const uint x = at % 7, y = at / 7 % W, z = at / 8 / W;
  t[(z * W + y) * 7 + x] = at;
}
