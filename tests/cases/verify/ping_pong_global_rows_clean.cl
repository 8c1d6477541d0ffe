// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: one group; in a turn from is only read and to only written, each element by its own work-item, and a barrier with a global fence separates turns. Told as unsupported: pointers that change places in a loop are not followed.
kernel void diffuse(global float *u, global float *v, int turns) {
  const int l = get_local_id(0), n = get_local_size(0);
  global float *from = u, *to = v;
  while (turns-- > 0) {
    to[l] = from[l] + 0.1f * (from[(l + 1) % n] - from[l]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    global float *const t = to;
    to = from;
    from = t;
  }
}
