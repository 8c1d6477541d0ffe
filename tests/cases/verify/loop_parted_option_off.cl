// EXPECT: race
// OPTS: --assume 'careful == 0' --local 32 --groups 2
// OPTS: --assume 'careful == 0'
// WHY: with careful = 0 there is no barrier at all, and work-item l takes 7 + l turns. Work-items 0 and 1 of group 0 both write top[0], with 7 and 8.
kernel void age(global int *count, global int *top, int careful) {
  const int l = get_local_id(0);
  int n = 0;
  for (int m = 7 + l; m > 0; m--) {
    n++;
    if (careful) {
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
  }
  count[get_global_id(0)] = n;
  top[get_group_id(0)] = n;
}
