// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-fast-relaxed-math
kernel void k(global int *a) {
  local int t[16];
  const int l = get_local_id(0);
  t[l] = l;
#ifndef __FAST_RELAXED_MATH__
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  a[l] = t[15 - l];
}
