// EXPECT: fine
// OPTS: --local 32 --groups 2
// WHY: all work-items of a group read the same number of turns behind the first barrier, so all take the same turns and meet at the barrier in each.
kernel void relax(global const int *turns_of, global float *x) {
  local int turns;
  local float t[32];
  const int l = get_local_id(0);
  if (l == 0) {
    turns = turns_of[get_group_id(0)];
  }
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < turns; k++) {
    const float v = 0.5f * (t[l] + t[(l + 1) & 31]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[get_global_id(0)] = t[l];
}
