// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: work-item 0 sets the four counters to 0 between the halves, so both halves give the numbers 0 to 15; list[0] is stored in the first half by one work-item and in the second by maybe another, with no global fence between.
kernel void halves(global int *list, global const int *key, local int *used) {
  const int l = get_local_id(0);
  if (l == 0) {
    vstore4((int4)(0), 0, used);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int first = atomic_inc(used);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    vstore4((int4)(0), 0, used);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int second = atomic_inc(used);
  list[first] = key[l];
  list[second] = key[l + 16];
}
