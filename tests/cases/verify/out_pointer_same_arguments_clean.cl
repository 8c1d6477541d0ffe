// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: all store what the same call gives: the same.
kernel void same(global int *e, global float *m, float x) {
  m[get_global_id(0)] = frexp(x, e);
}
