// EXPECT: race
// OPTS: --local 32 --groups 1
// WHY: the assignment of the whole structure sets head to 0 again, so both phases give the numbers 0 to 31; entry[0] is written in both, by different work-items, and no global fence stands between.
typedef struct {
  int head, tail, spare[6];
} ring;
kernel void phases(global int *entry) {
  local ring r;
  const int l = get_local_id(0);
  const ring none = {0, 0, {0}};
  if (l == 0) {
    r = none;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  entry[atomic_add(&r.head, 1)] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    r = none;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  entry[atomic_add(&r.head, 1)] = ~l;
}
