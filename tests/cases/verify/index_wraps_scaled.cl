// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: l * (2^61 + 1) in elements of 8 bytes: past the end of the array for all but work-item 0
kernel void f(global long *o) {
  local long t[64];
  const ulong l = get_local_id(0);
  t[l * 0x2000000000000001UL] = (long)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = t[l];
}
