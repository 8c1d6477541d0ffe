// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: behind the barrier work-item l stores all of cell[l] from a copy that it took before, while work-item l + 1 sets cell[l].w.
kernel void pass(local short4 *cell, global short4 *out) {
  const uint l = get_local_id(0);
  local short4 *const own = &cell[l];
  short4 mine = *own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0) {
    cell[l - 1].w = l;
  }
  mine.y = 4;
  *own = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = cell[l];
}
