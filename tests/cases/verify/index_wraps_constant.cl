// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: the index is 2^62 + l, past the end of the array; where addresses wrap t[l] is written and t[l + 1] read: race
kernel void f(global int *o) {
  local int t[65];
  const ulong l = get_local_id(0);
  t[l + 0x4000000000000000UL] = (int)l;
  o[l] = t[l + 1];
}
