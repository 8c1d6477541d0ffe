// EXPECT: clean
// OPTS: --local 64
// WHY: numbers go down by 64 from group to group, and each group has the 64 places before its own. Told as possible: what a counter gives is any number.
kernel void reserve(global int *used, global int *list) {
  local int base;
  const int l = get_local_id(0);
  if (l == 0) {
    base = atomic_sub(used, 64);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  list[base - 1 - l] = get_global_id(0);
}
