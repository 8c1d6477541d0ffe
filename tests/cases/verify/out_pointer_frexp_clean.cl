// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: each work-item gives frexp a place of its own, of four bytes.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void exponents(global const double *x, local int *e, global int *out) {
  const uint l = get_local_id(0);
  const double m = frexp(x[get_global_id(0)], &e[l]);
  out[get_global_id(0)] = m > 0.75 ? e[l] + 1 : e[l];
}
