// EXPECT: clean
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: all work-items read the same vote between two barriers, so all leave in the same turn; the third barrier keeps the next reset away from the read. All who write 1 write the same.
kernel void relax(global float *x, local float *t, int most) {
  local int moved;
  const int l = get_local_id(0), n = get_local_size(0);
  t[l] = x[get_global_id(0)];
  for (int turn = 0; turn < most; turn++) {
    if (l == 0) {
      moved = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float mean = 0.5f * (t[(l + 1) % n] + t[l]);
    if (mean > 0.25f) {
      moved = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = mean;
    const int go = moved;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!go) {
      break;
    }
  }
  x[get_global_id(0)] = t[l];
}
