// EXPECT: clean
// RUN: products b0:256=iota b0 b1:4096 @64:16
// WHY: both constant arguments are one buffer, which nobody writes.
kernel void products(constant int *a, constant int *b, global int *out) {
  const int i = get_global_id(0);
  out[i] = a[i] * b[63 - i];
}
