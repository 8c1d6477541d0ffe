// EXPECT: repaired
// OPTS: --local 64 --groups 1
// NOT: two kernels
// WHY: the last work-item adds to carry, and the others read it in the next turn without a barrier between; it may also write t over again.
kernel void scan(global const int *in, global int *out, local int *t, int n) {
  local int carry;
  const int l = get_local_id(0), s = get_local_size(0);
  if (l == 0) {
    carry = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = 0; b < n; b += s) {
    t[l] = b + l < n ? in[b + l] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < s; d *= 2) {
      const int v = l >= d ? t[l - d] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] += v;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (b + l < n) {
      out[b + l] = t[l] + carry;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == s - 1) {
      carry += t[l];
    }
  }
  if (l == 0) {
    out[n] = carry;
  }
}
