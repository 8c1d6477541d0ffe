// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: no device defines __SPIR__ when it builds from source for itself.
kernel void k(global int *a) {
  local int t[16];
  const int l = get_local_id(0);
  t[l] = l;
#if defined(__SPIR__) || defined(__SPIR64__) || defined(__SPIRV__)
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  a[l] = t[15 - l];
}
