// EXPECT: repaired
// OPTS: --local 32 --groups 2 --optimise
// WHY: the barrier orders local memory only; each work-item has its own element of x.
kernel void mirror(global int *x) {
  local int t[32];
  const int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  x[get_global_id(0)] = t[31 - l];
}
