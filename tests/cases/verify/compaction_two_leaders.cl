// EXPECT: race
// OPTS: --local 16,2 --groups 4,1
// WHY: in each group two work-items have 0 as their first id: both store to base, other numbers.
kernel void append(global const int *in, global int *out, global uint *used) {
  local uint base;
  const uint l = get_local_id(1) * 16 + get_local_id(0);
  if (get_local_id(0) == 0) {
    base = atomic_add(used, 32u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = in[get_global_id(0)];
}
