// EXPECT: race
// OPTS: --local 32 --groups 4 --assume 'n <= 1000000'
// WHY: group 0 sets the counter again while others count in it.
kernel void work(global float *x, volatile global int *head, int n) {
  local int job;
  const int l = get_local_id(0);
  while (true) {
    if (l == 0) {
      job = atomic_add(head, 1);
      if (get_group_id(0) == 0 && job == 2) {
        *head = 0;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int mine = job;
    if (mine >= n) {
      return;
    }
    x[mine * 32 + l] *= 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
