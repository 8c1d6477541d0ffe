__kernel void test(__global int *out) {
  int i = get_global_id(0);
  for (int k = 0; k < i; k++)
    out[i] += k > 1 ? k : __OPENCL_C_VERSION__;
}
// OpenCL C 2.0.
// options: -cl-std=CL2.0
// range: 4 2
// code: 1-5
// site: function 1 entered |
// site: for 3 0, 1, >1, boundary |
// site: conditional 4 true, false |
// lines:
// findings: 0
