// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: three buffers take turns; in a turn one is read, each element of the two others is written by its own work-item, and a barrier separates turns. Told as unsupported: pointers that change places in a loop are not followed.
kernel void smooth(global float *x, local float *a, local float *b, local float *c, int turns) {
  const int l = get_local_id(0), last = get_local_size(0) - 1;
  local float *from = a, *to = b, *spare = c;
  from[l] = x[get_global_id(0)];
  for (int t = 0; t < turns; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = 0.5f * (from[l] + from[l < last ? l + 1 : 0]);
    spare[l] = to[l] + t;
    local float *const other = from;
    from = to;
    to = spare;
    spare = other;
  }
  x[get_global_id(0)] = from[l];
}
