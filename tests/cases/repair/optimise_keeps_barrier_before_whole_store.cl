// EXPECT: fine
// OPTS: --local 32 --groups 1 --optimise
// WHY: work-item l stores all four elements of cell[l]; its neighbour sets cell[l].w behind the barrier. Without the barrier the whole store may bring back the old w.
kernel void stamp(local int4 *cell, global int4 *out) {
  const int l = get_local_id(0);
  local int4 *const own = &cell[l];
  int4 v = *own;
  v.z = 9;
  *own = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  cell[(l + 5) & 31].w = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = cell[l];
}
