// EXPECT: clean
// WHY: as the other, but the number of turns is that of the group: all of a group come to each barrier, and t[l] is the work-item's own.
int meet(local int *t, int l) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return t[l];
}
kernel void settle(global int *a, local int *t) {
  const int l = get_local_id(0);
  int left = (get_group_id(0) & 1) ? 2 : 3, sum = 0;
  t[l] = l;
  while (sum += meet(t, l), --left > 0) {
    sum *= 2;
  }
  a[get_global_id(0)] = sum;
}
