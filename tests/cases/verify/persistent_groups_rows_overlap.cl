// EXPECT: race
// OPTS: --local 32 --groups 4 --assume 'n <= 1000000'
// WHY: jobs have 31 elements each, but 32 work-items: with jobs 0 and 1, work-item 31 of one group and work-item 0 of the other both change x[31].
kernel void work(global float *x, volatile global int *head, int n) {
  local int job;
  const int l = get_local_id(0);
  while (true) {
    if (l == 0) {
      job = atomic_add(head, 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int mine = job;
    if (mine >= n) {
      return;
    }
    x[mine * 31 + l] *= 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
