// EXPECT: clean
// WHY: one work-item stores the flag as a word, and all read one byte of it after the barrier: the same for all.
typedef union {
  uint word;
  uchar byte[4];
} word_or_bytes;
kernel void agree(global int *a, uint n) {
  local word_or_bytes u;
  if (get_local_id(0) == 0) {
    u.word = n * get_group_id(0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (u.byte[1] != 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = n;
}
