// EXPECT: clean
// OPTS: --local 16 --groups 4
// WHY: each group adds 16 to the counter once, so bases are 16 apart and l is below 16 (64 places do not come round a counter of 32 bits). Told as possible: what a counter holds after a barrier, and rooms that one work-item takes for its group, are not followed.
kernel void append(global const int *in, global int *out, global uint *used) {
  local uint base;
  const uint l = get_local_id(0);
  if (l == 0) {
    base = atomic_add(used, 16u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = in[get_global_id(0)];
}
