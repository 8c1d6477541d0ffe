// EXPECT: refused
// OPTS: --local 32 --groups 2
// WHY: not all come to the barrier. Taken out it would leave no race, but then work-items may read sum before all have added to it.
kernel void share(global int *data) {
  local int sum;
  const int l = get_local_id(0);
  if (l == 0) {
    sum = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    atomic_add(&sum, data[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = atomic_add(&sum, 0);
  }
}
