// EXPECT: fine
// OPTS: --local 32 --groups 4
// WHY: work-item 31 says whether the group has work; behind the barrier all read the same answer and return together, or go on together to the next barriers.
kernel void flip(global const int *first, global int *data, int n) {
  local int has_work, t[32];
  const int l = get_local_id(0), g = get_group_id(0);
  if (l == 31) {
    has_work = first[g] < n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!has_work) {
    return;
  }
  t[l] = data[g * 32 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[g * 32 + l] = t[l ^ 1];
}
