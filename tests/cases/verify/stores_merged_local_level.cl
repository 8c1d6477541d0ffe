// EXPECT: race
// OPTS: --local 32 --groups 1
// OPTS:
// WHY: with n above 100 each work-item stores 5 and then 6 to level. Work-item 0 may store 6 before work-item 1 stores 5.
kernel void grade(global int *out, int n) {
  local int level;
  if (n >= 50) {
    level = 5;
  }
  if (n >= 100) {
    level = 6;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = n >= 50 ? level : 0;
}
