// EXPECT: race
// BUILD: -cl-std=CL2.0
// OPTS: --local 64
// WHY: all come to work_group_all, but it orders no memory.
kernel void all(global int *a) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = l;
  if (work_group_all(a[get_global_id(0)] > 0)) {
    a[get_global_id(0)] = t[63 - l];
  }
}
