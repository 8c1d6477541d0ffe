// EXPECT: repaired
// OPTS: --local 64 --groups 2
// WHY: the macro is named like a barrier and is none; one between the store and the read is missing.
#define BARRIER(flags) mem_fence(flags)
kernel void fence_only(global const int *in, global int *out) {
  local int t[64];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  BARRIER(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l];
}
