// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: index -2^61 elements of 8 bytes wraps to the start: out of bounds
kernel void f(global ulong *o) {
  local ulong t[64];
  const long l = get_local_id(0);
  t[l - 0x2000000000000000L] = l;
  o[l] = l;
}
