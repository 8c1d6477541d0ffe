// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: no barrier stands in the loop: with turns = 2, work-item 0 reads two[1] in its second turn while work-item 1 may still have to write it in its first.
kernel void smooth(global float *x, local float *one, local float *two, int turns) {
  const int l = get_local_id(0), last = get_local_size(0) - 1;
  local float *from = one, *to = two;
  from[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = 0; t < turns; t++) {
    to[l] = 0.5f * (from[l] + from[l < last ? l + 1 : 0]);
    local float *const other = from;
    from = to;
    to = other;
  }
  x[get_global_id(0)] = from[l];
}
