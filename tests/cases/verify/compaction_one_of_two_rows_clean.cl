// EXPECT: clean
// OPTS: --local 16,2 --groups 4,1
// WHY: one work-item of a group adds 32 for all of it, and l is below 32.
kernel void append(global const int *in, global int *out, global uint *used) {
  local uint base;
  const uint l = get_local_id(1) * 16 + get_local_id(0);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) {
    base = atomic_add(used, 32u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = in[get_global_id(0)];
}
