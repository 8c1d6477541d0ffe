// EXPECT: race
// OPTS: --local 16 --groups 4
// WHY: a group reserves 8 places and stores 16: with bases 0 and 8, work-item 8 of group 0 and work-item 0 of group 1 both store out[8].
kernel void append(global const int *in, global int *out, global uint *used) {
  local uint base;
  const uint l = get_local_id(0);
  if (l == 0) {
    base = atomic_add(used, 8u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = in[get_global_id(0)];
}
