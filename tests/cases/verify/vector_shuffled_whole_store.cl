// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: the whole vector is stored, and its first component belongs to work-item 1
kernel void k(global int4 *a, int4 w) {
  local int4 v;
  if (get_local_id(0) == 0) v = __builtin_shufflevector(v, w, 0, 5, 2, 3);
  if (get_local_id(0) == 1) v.x = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = v;
}
