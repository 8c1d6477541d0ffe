// EXPECT: race
// WHY: work_group_size_hint promises nothing: with 128 work-items two share a place.
__attribute__((work_group_size_hint(64, 1, 1))) kernel void hint(global int *a) {
  local int t[64];
  const int l = get_local_id(0) & 63;
  t[l] = get_global_id(0);
  a[get_global_id(0)] = t[l];
}
