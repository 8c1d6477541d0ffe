// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'get_global_offset(0) == 0'
// WHY: for numbers below 256 mul_hi(i, 0x55555556) is i / 3, so q and i - 3 * q (below 3) say which i it is. Told as possible: what this function gives is not computed.
kernel void triples(global uint *a) {
  const uint i = get_global_id(0), q = mul_hi(i, 0x55555556u);
  a[q * 4 + (i - 3 * q)] = i;
}
