// EXPECT: fine
// OPTS: --local 64 --groups 4
// WHY: behind the first barrier all work-items of a group read the same go, so all or none come to the second barrier. Taking it out leaves no race, as sum is only touched atomically, but then work-items read sum before all have added to it.
kernel void share(global const int *want, global int *data) {
  local int go, sum;
  const int l = get_local_id(0);
  if (l == 0) {
    go = want[get_group_id(0)] > 0;
    sum = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (go) {
    atomic_add(&sum, data[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] -= atomic_add(&sum, 0) / 64;
  }
}
