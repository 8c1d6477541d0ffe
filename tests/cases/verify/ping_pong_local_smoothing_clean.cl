// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: in a turn one buffer is only read and the other only written, each element by its own work-item; the barrier stands between two turns, and which buffer is which is the same for all. Told as unsupported: pointers that change places in a loop are not followed.
kernel void smooth(global float *x, local float *one, local float *two, int turns) {
  const int l = get_local_id(0), last = get_local_size(0) - 1;
  local float *from = one, *to = two;
  from[l] = x[get_global_id(0)];
  for (int t = 0; t < turns; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = 0.5f * (from[l] + from[l < last ? l + 1 : 0]);
    local float *const other = from;
    from = to;
    to = other;
  }
  x[get_global_id(0)] = from[l];
}
