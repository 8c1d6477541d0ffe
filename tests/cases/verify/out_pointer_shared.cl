// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: all work-items let frexp store to e[0], of different numbers.
kernel void exponents(global const float *x, global int *e, global float *m) {
  const uint i = get_global_id(0);
  m[i] = frexp(x[i], e);
}
