// EXPECT: refused
// OPTS: --local 32 --groups 2
// WHY: neighbours race on t. Each work-item leaves when its own value is small enough, so a barrier in the loop is not reached by all: no patch that only adds barriers to the loop is right.
kernel void settle(global const int *start, global int *out, local int *t) {
  const int l = get_local_id(0);
  int v = start[get_global_id(0)];
  for (;;) {
    t[l] = v;
    v = (v + t[(l + 1) & 31]) / 4;
    if (v < 10) {
      break;
    }
  }
  out[get_global_id(0)] = v;
}
