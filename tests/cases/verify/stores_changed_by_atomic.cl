// EXPECT: race
// OPTS: --local 64
// WHY: t[l] was l, and after atomic_and(…, 1) it is 0 or 1: even work-items all store a[64 g].
kernel void forward(global int *a) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_and(&t[l], 1);
  a[64 * get_group_id(0) + t[l]] = l;
}
