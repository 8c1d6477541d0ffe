// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: each function stores one float at an element of its own work-item.
kernel void parts(global const float *x, global float *whole, global float *cosine, global float *trunk, global float *out) {
  const uint i = get_global_id(0);
  const float a = fract(x[i], &whole[i]);
  const float b = sincos(x[i], &cosine[i]);
  out[i] = a + b + modf(x[i], &trunk[i]);
}
