// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS: --local 32
// WHY: in every turn all work-items store different numbers (their own element of `to`, which holds x) to spare[0].
kernel void smooth(global float *x, local float *a, local float *b, local float *c, int turns) {
  const int l = get_local_id(0), last = get_local_size(0) - 1;
  local float *from = a, *to = b, *spare = c;
  from[l] = x[get_global_id(0)];
  for (int t = 0; t < turns; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = 0.5f * (from[l] + from[l < last ? l + 1 : 0]);
    spare[0] = to[l] + t;
    local float *const other = from;
    from = to;
    to = spare;
    spare = other;
  }
  x[get_global_id(0)] = from[l];
}
