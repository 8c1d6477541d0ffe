// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: work-item l goes back l times; the barrier in the branch is for whoever has gone back more than 100 times, so for nobody. All store to last of their group.
kernel void back(global int *last) {
  const int l = get_local_id(0);
  int n = 0;
again:
  if (n > 100) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (n < l) {
    n++;
    goto again;
  }
  last[get_group_id(0)] = n;
}
