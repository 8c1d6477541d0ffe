// EXPECT: clean
// RUN: fill b0:4096 @64:16
kernel void fill(global int *a) {
#if __OPENCL_VERSION__ < 200 || defined(cl_khr_gl_msaa_sharing)
  a[0] = get_global_id(0);
#else
  a[get_global_id(0)] = 1;
#endif
}
