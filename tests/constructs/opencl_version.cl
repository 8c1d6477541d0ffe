#if __OPENCL_VERSION__ >= 110
int version(void) { return 1; }
#else
int version(void) { return get_global_id(0) ? 2 : 3; }
#endif
#if __OPENCL_C_VERSION__ == CL_VERSION_1_2 && defined(__OPENCL_C_VERSION__)
#define LIMIT 1
#else
#define LIMIT 100
#endif
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  if (i > LIMIT)
    out[i] = version();
#ifdef __ENDIAN_LITTLE__
  if (i == 0) out[i] = 9;
#endif
}
// Conditions on versions: answered as the device's compiler does, with OpenCL C 1.2.
// options: -cl-std=CL1.2
// range: 4 2
// code: 2 11-14 16 18
// site: function 2 entered |
// site: function 11 entered |
// site: if 13 true, false |
// site: if 16 true, false |
// lines:
// findings: 0
