// EXPECT: oob
// OPTS: --local 64 --groups 1 --assume 'elements(t) == 32'
// WHY: t is said to have 32 elements, and work-item 32 stores to t[32].
kernel void stage(global int *a, local int *t) {
  const uint l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[get_local_size(0) - 1 - l];
}
