// EXPECT: clean
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: the number of turns depends on the group only, so the work-items of a group meet at the barrier of turn 2 and leave in the same turn; behind the loop each touches only its own elements.
kernel void walk(global int *last, local int *trail) {
  const int l = get_local_id(0);
  const int length = 200 + get_group_id(0) % 3;
  int at = 0;
  while (at < length) {
    if (at == 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    trail[l] = at;
    at++;
  }
  last[get_global_id(0)] = trail[l];
}
