// EXPECT: clean
// BUILD: -cl-std=CL2.0
// OPTS: --local 64
// WHY: work_group_any gives all the same, so all come to the barrier or none.
kernel void any_of(global int *a) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = l;
  if (work_group_any(a[get_global_id(0)] > 0)) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[63 - l];
  }
}
