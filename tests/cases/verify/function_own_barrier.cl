// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own barrier(long) without a body is none: t is read while it is written
void __attribute__((overloadable)) barrier(long flags);
kernel void f(global int *o) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = l;
  barrier((long)CLK_LOCAL_MEM_FENCE);
  o[l] = t[63 - l];
}
