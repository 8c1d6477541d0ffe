// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: sign[2 * i] is another element for each work-item, and sign[2 * i + 1] is stored by the same work-item.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void gammas(global const double *x, global int *sign, global double *y) {
  const uint i = get_global_id(0);
  y[i] = lgamma_r(x[i], &sign[2 * i]);
  sign[2 * i + 1] = 0;
}
