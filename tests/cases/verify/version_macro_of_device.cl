// EXPECT: race
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: each device of OpenCL 1.2 or later defines __OPENCL_VERSION__ with at least 120, so the branch that stores to total[0] is the one that is built.
kernel void count(global int *total, global const int *in) {
#if __OPENCL_VERSION__ >= 120
  total[0] = in[get_global_id(0)];
#else
  total[get_global_id(0)] = in[get_global_id(0)];
#endif
}
