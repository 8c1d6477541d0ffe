// EXPECT: race
// OPTS: --local 16 --groups 4
// WHY: groups 0 and 1 both have base 0.
kernel void append(global int *out) {
  local uint base;
  const uint l = get_local_id(0);
  if (l == 0) {
    base = get_group_id(0) / 2 * 16;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = get_global_id(0);
}
