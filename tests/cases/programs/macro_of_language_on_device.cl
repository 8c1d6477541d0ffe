// EXPECT: race
// RUN: fill b0:4096 @64:16
// WHY: the device's version is 3.0, so __OPENCL_VERSION__ is 300.
kernel void fill(global int *a) {
#if __OPENCL_VERSION__ >= 200
  a[0] = get_global_id(0);
#else
  a[get_global_id(0)] = 1;
#endif
}
