// EXPECT: clean
// RUN: filter b0:4096 b1:4096 i64 @64:16
// WHY: two buffers; each work-item stores its own element.
kernel void filter(constant float *tap, global float *out, int n) {
  const int i = get_global_id(0);
  out[i] = 2.0f * tap[n - 1 - i];
}
