// EXPECT: clean
// OPTS: --local 32 --groups 4 --assume 'n <= 1000000'
// WHY: each group takes another job number from the counter; places of two jobs are 32 apart. Behind the second barrier only work-item 0 changes job, when all have read it. Told as possible: what one work-item takes for its group is not followed.
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
    x[mine * 32 + l] *= 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
