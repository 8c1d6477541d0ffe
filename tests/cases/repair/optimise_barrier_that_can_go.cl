// EXPECT: repaired
// OPTS: --local 32 --groups 2 --optimise
// WHY: the first barrier orders t[l] and t[31 - l]; behind the second one nothing of t is touched.
kernel void mirror(global int *x) {
  local int t[32];
  const int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int v = t[31 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = v;
}
