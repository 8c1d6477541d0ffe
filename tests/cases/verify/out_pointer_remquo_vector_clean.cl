// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: each work-item gives remquo a vector of two ints of its own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void reduce(global const double2 *x, global int2 *turns, global double2 *rest) {
  const uint i = get_global_id(0);
  rest[i] = remquo(x[i], (double2)(6.25), &turns[i]);
}
