#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  real x = (real)i / 2;
  if (x > (real)0.75)
    x = sqrt(x);
#if defined(cl_khr_fp64) || !defined(cl_khr_fp64)
  x = x < 0 ? -x : x;
#endif
  out[i] = convert_int(x * 1000);
}
// cl_khr_fp64 by pragma and #ifdef, whatever the device has.
// range: 4 2
// code: 7-11 13 15-16
// site: function 7 entered |
// site: if 10 true, false |
// site: conditional 13 false | true
// lines:
// findings: 0
