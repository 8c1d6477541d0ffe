// EXPECT: race
// OPTS: --local 64
// WHY: the counter need not begin at a multiple of 64: 32 | 0 and 32 | 32 are one place.
kernel void reserve(global int *used, global int *list) {
  local int base;
  const int l = get_local_id(0);
  if (l == 0) {
    base = atomic_add(used, 64);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  list[base | l] = get_global_id(0);
}
