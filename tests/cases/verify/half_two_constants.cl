// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: even work-items store 6.0, odd ones -6.125 to the same element: two values.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void limit(global half *top) {
  top[0] = get_local_id(0) % 2 == 0 ? 6.0h : -6.125h;
}
