// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: all store the same value 2.0.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void limit(global half *top) {
  top[0] = get_local_id(0) % 2 == 0 ? 2.0h : 2.0h;
}
