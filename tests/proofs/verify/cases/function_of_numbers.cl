// Functions of numbers and arithmetic in floating point: the same for the same, and not known else.

// expect verified same_for_same
// ask {"local": [64], "groups": [2]}
kernel void same_for_same(global int *a, float x, double y, uint u) {
  float r = native_cos(x) + half_recip(x) + fma(x, x, x) - -x * x / fmod(x, x) + (float)y + (int)x + (uint)x;
  double d = x;
  if (r > 0.5f && atan2(d, y) < 1.0 && dot((float4)(x), (float4)(r)) > 2.0f && isnan(x) == 0 &&
      (__builtin_bswap32(u) & 1) == 0 && (uint)u + 0.0f < r) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect possible-divergence other_for_other
// ask {"local": [64], "groups": [2]}
kernel void other_for_other(global int *a, global const float *x, uint u) {
  uint i = get_global_id(0);
  if (native_cos(x[i]) + fma(x[i], 2.0f, 1.0f) > atan2(x[i], 3.0f) - fmod(x[i], 2.0f) / (int)x[i] * -x[i] + (double)x[i]) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[i] = 1;
}

// expect possible-race intrinsics a
// ask {"local": [64], "groups": [2]}
kernel void intrinsics(global int *a) { a[__builtin_bswap32(get_global_id(0)) & 0xFFFF] = get_global_id(0); }
