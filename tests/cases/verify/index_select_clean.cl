// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: even numbers stay, odd ones go 256 up: all different. Told as possible: what this function gives is not computed.
kernel void part(global int *a) {
  const uint i = get_global_id(0);
  a[select(i, i + 256u, i & 1u)] = i;
}
