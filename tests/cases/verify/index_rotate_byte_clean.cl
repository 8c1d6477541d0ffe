// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: turning eight bits round keeps different bytes different, and the 256 numbers are different bytes. Told as possible: what this function gives is not computed.
kernel void mix_up(global int *a) {
  const uchar i = get_global_id(0);
  a[rotate(i, (uchar)3)] = i;
}
