// EXPECT: race
// OPTS: --local 64 --groups 4
// OPTS:
// ALSO: divergence
// NOTE: who holds that a barrier in a loop stands for every turn of it may say divergence instead, as work-items have different numbers of turns; "verified" is wrong in any case.
// WHY: all have at least 200 turns, so all meet at the barrier of turn 2; then they leave in different turns. Work-items 0 and 1 of a group both write last[group], with 0 and 1.
kernel void walk(global int *last, local int *trail) {
  const int l = get_local_id(0);
  const int length = 200 + l;
  int at = 0;
  while (at < length) {
    if (at == 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    trail[l] = at;
    at++;
  }
  last[get_group_id(0)] = l;
}
