// EXPECT: fine
// OPTS: --local 32 --groups 2 --optimise
// WHY: without the second barrier nothing races, as sum is only touched atomically, but work-items may read it before all have added to it.
kernel void share(global int *data) {
  local int sum;
  if (get_local_id(0) == 0) {
    sum = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, data[get_global_id(0)] & 15);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = atomic_add(&sum, 0);
}
