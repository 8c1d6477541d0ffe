// EXPECT: race
// RUN: fill -o -cl-fast-relaxed-math b0:4096 @64:16
kernel void fill(global int *a) {
#ifdef __FAST_RELAXED_MATH__
  a[0] = get_global_id(0);
#else
  a[get_global_id(0)] = 1;
#endif
}
