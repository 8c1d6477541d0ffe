// EXPECT: race
// RUN: fill b0:4096 @64:16
// WHY: this device has no such extension.
kernel void fill(global int *a) {
#ifndef cl_khr_gl_msaa_sharing
  a[0] = get_global_id(0);
#else
  a[get_global_id(0)] = 1;
#endif
}
