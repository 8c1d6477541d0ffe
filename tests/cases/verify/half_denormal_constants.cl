// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the two numbers, both below the smallest normal half, differ in their last bit.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void tiny(global half *a) {
  a[0] = get_local_id(0) == 0 ? (half)5.9604644775390625e-8 : (half)1.1920928955078125e-7;
}
