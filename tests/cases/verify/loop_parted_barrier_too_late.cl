// EXPECT: div
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: lengths are 4, 5 and 6 turns; the barrier stands in turn 5, so only work-items with l % 3 == 2 reach it.
kernel void walk(global int *last, local int *trail) {
  const int l = get_local_id(0);
  const int length = 4 + l % 3;
  int at = 0;
  while (at < length) {
    if (at == 5) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    trail[l] = at;
    at++;
  }
  last[get_global_id(0)] = trail[l];
}
