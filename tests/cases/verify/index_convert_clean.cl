// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'get_global_offset(0) == 0'
// WHY: numbers below 256 are kept by the conversion to a byte, and a float holds 2 * i exactly. Told as possible: what this function gives is not computed.
kernel void steps(global int *a, global int *b) {
  const int i = get_global_id(0);
  a[convert_uchar_sat(i)] = i;
  b[convert_int_rte((float)i * 2.0f)] = i;
}
