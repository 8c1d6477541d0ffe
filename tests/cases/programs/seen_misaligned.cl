// EXPECT: oob
// OPTS: --second-opinion=1
// RUN: k b0:256 b1:64 @16:16
// WHY: an int is read one byte after the beginning of a buffer.
kernel void k(global char *a, global int *out) {
  global int *p = (global int *)(a + 1);
  out[get_global_id(0)] = p[get_global_id(0)];
}
