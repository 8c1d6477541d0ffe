// EXPECT: race
// OPTS: --local 16 --groups 1
// ALSO: divergence
// WHY: the table has another flag for the first work-item
constant uint flags[2] = {CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE};
kernel void k(global int *out) {
  local int t[1];
  if (get_local_id(0) == 0) t[0] = 5;
  barrier(flags[get_local_id(0) > 0]);
  out[get_global_id(0)] = t[0];
}
