// EXPECT: refused
// OPTS: --local 32 --groups 2
// SAYS: not repaired
// WHY: neighbours race on t, and each work-item returns when its own value is small enough: no barrier in the loop is reached by all.
kernel void settle(global const int *start, global int *out, local int *t) {
  const int l = get_local_id(0);
  int v = start[get_global_id(0)];
  for (;;) {
    t[l] = v;
    v = (v & 1023) / 2 + (t[(l + 1) & 31] & 1023) / 4;
    if (v < 10) {
      out[get_global_id(0)] = v;
      return;
    }
  }
}
