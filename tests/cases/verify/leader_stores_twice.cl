// EXPECT: race
// OPTS: --local 64
// WHY: the second store of the first work-item overwrites the number with 0, for all groups whose number is divisible by 4.
kernel void reserve(global uint *used, global int *list) {
  local uint base;
  const int l = get_local_id(0);
  if (l == 0) {
    base = atomic_add(used, 64);
    if ((get_group_id(0) & 3) == 0) {
      base = 0;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  list[base + l] = get_global_id(0);
}
