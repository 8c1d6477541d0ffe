// EXPECT: race
// RUN: profile b0:65536=iota b1:4096 @64:16 b0 b1 @128:16 b0 b1 @512:16 b0 b1 @64,4:16,2
// WHY: the fourth launch has four rows: work-items (0, 0) and (0, 1) both store column[0], in[0] and in[64], which are 0 and 64.
kernel void profile(global const uint *in, global uint *column) {
  const size_t x = get_global_id(0), w = get_global_size(0);
  column[x] = in[get_global_id(1) * w + x];
}
