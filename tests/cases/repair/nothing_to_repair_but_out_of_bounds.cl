// EXPECT: refused
// SAYS: what remains
// SAYS: out-of-bounds
// OPTS: --local 128 --groups 2
// WHY: no race, the barrier stands; but groups have 128 work-items and the array 100 elements: work-item 100 stores to t[100]. "Nothing to repair" alone is wrong.
kernel void mirror(global float *x) {
  local float t[100];
  const int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[127 - l];
}
