// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: a group keeps n elements in places 0 to n - 1 of its list, takes n places from base on, and moves element l of the list to place base + l; kept does not change after the second barrier. Told as possible: what a counter holds after a barrier, and rooms that one work-item takes for its group, are not followed.
kernel void keep(global const int *in, global int *out, global int *used) {
  local int kept, base, list[32];
  const int l = get_local_id(0), v = in[get_global_id(0)];
  if (l == 0) {
    kept = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((v & 1) == 0) {
    list[atomic_inc(&kept)] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    base = atomic_add(used, kept);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < kept) {
    out[base + l] = list[l];
  }
}
