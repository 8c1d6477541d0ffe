// EXPECT: race
// RUN: filter b0:4096 b0 i64 @64:16
// WHY: the constant argument and the global one are one buffer: work-item 0 reads element 63, which work-item 63 stores.
kernel void filter(constant float *tap, global float *out, int n) {
  const int i = get_global_id(0);
  out[i] = 2.0f * tap[n - 1 - i];
}
