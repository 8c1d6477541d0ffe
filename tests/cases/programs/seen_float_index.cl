// EXPECT: oob
// OPTS: --second-opinion=1
// RUN: bin b0:64=1107296256 b1:128 b2:64 @16:16
// SAYS: confirmed on the device: a run of this launch with the ends of memory watched
// WHY: r[0] is 32.0f, and mean has 32 elements.
kernel void bin(global const float *r, global const float *mean, global float *out) {
  const int i = get_global_id(0);
  out[i] = mean[convert_int_rtz(clamp(r[i], 0.0f, 32.0f))];
}
