// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the first work-item of a group stores all of the vector in local memory, in another order; the second stores its last component.
kernel void turn(global int *out) {
  local int4 v;
  const int l = get_local_id(0);
  if (l == 0) {
    v = v.yxwz;
  } else if (l == 1) {
    v.w = 7;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = v.x;
}
