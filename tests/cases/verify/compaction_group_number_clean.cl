// EXPECT: clean
// OPTS: --local 16 --groups 4
// WHY: bases are 16 apart, and l is below 16.
kernel void append(global int *out) {
  local uint base;
  const uint l = get_local_id(0);
  if (l == 0) {
    base = (get_group_id(0) + 3) * 16;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = get_global_id(0);
}
