// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: two components
kernel void k(global int4 *a, int4 w) {
  local int4 v;
  if (get_local_id(0) == 0) v.y = w.y;
  if (get_local_id(0) == 1) v.x = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = v;
}
