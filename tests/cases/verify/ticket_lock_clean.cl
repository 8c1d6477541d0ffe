// EXPECT: clean
// OPTS: --local 1 --groups 16
// WHY: one holder at a time; a possible race is right where nothing is known of the lock, and the message should say what is missing. Told as possible: what a counter gives is any number.
kernel void k(volatile global int *next, volatile global int *serving, global int *x) {
  int t = atomic_inc(next);
  while (atomic_add(serving, 0) != t);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *x += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(serving);
  
}
