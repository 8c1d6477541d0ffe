// EXPECT: race
// OPTS: --local 64
// WHY: the low byte of t[l] is set to 0, and l is all in the low byte: all store a[64 g].
kernel void forward(global int *a) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = l;
  ((local uchar *)t)[4 * l] = 0;
  a[64 * get_group_id(0) + t[l]] = l;
}
