// EXPECT: race
// OPTS: --local 16 --groups 4
// WHY: each group counts in an element of its own, so all may get base 0: work-item 0 of group 0 and of group 1 both store out[0], other values.
kernel void append(global const int *in, global int *out, global uint *used) {
  local uint base;
  const uint l = get_local_id(0);
  if (l == 0) {
    base = atomic_add(&used[get_group_id(0)], 16u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = in[get_global_id(0)];
}
