float scaled(float x) {
#pragma OPENCL FP_CONTRACT OFF
  return x > 1.0f ? x * 2.0f + 1.0f : x;
}
__kernel void test(__global int *out) {
  _Pragma("OPENCL FP_CONTRACT ON")
  int i = get_global_id(0);
  if (i > 0) {
    #pragma OPENCL FP_CONTRACT OFF
    out[i] = (int)scaled(i);
  }
}
// A pragma that must be the first thing in a block.
// range: 4 2
// code: 1 3-5 7-8 10-12
// site: function 1 entered |
// site: conditional 3 true, false |
// site: function 5 entered |
// site: if 8 true, false |
// lines:
// findings: 0
