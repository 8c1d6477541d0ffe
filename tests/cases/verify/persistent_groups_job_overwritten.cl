// EXPECT: race
// OPTS: --local 32 --groups 4 --assume 'n <= 1000000'
// WHY: without a second barrier work-item 0 sets job for the next turn while work-item 1 may still read it for this one.
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
  }
}
