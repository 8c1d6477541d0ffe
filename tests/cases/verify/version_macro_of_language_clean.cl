// EXPECT: clean
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: __OPENCL_C_VERSION__ is at least 100 for every build, so each work-item stores to its own element.
kernel void count(global int *total, global const int *in) {
#if __OPENCL_C_VERSION__ >= 100
  total[get_global_id(0)] = in[get_global_id(0)];
#else
  total[0] = in[get_global_id(0)];
#endif
}
