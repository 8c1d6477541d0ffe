// EXPECT: clean
// OPTS: --second-opinion=1
// RUN: bin b0:64=1106771968 b1:128 b2:64 @16:16
// WHY: r[0] is 31.0f, all others are 0, and mean has 32 elements.
kernel void bin(global const float *r, global const float *mean, global float *out) {
  const int i = get_global_id(0);
  out[i] = mean[convert_int_rtz(clamp(r[i], 0.0f, 32.0f))];
}
