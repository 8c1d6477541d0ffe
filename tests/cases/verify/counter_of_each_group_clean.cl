// EXPECT: clean
// OPTS: --local 16 --groups 4
// WHY: a group counts in its own local memory and has a row of its own. Told as possible: of counters only that two calls give different numbers is known.
kernel void rows(global int *list) {
  local int used;
  const int l = get_local_id(0);
  if (l == 0) {
    used = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int at = atomic_inc(&used);
  if (at < 16) {
    list[get_group_id(0) * 16 + at] = l;
  }
}
