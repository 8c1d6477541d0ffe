// BUFFER: whole float 128 random:25
// SUB: lower whole 0 64
// SUB: upper whole 64 64
// KERNEL: swap_halves
// GLOBAL: 64
// LOCAL: 16
// ARG: lower
// ARG: upper
// READ: whole
// WHY: two sub-buffers that touch each other, each accessed up to its own last element.
__kernel void swap_halves(__global float *lower, __global float *upper)
{
    size_t i = get_global_id(0);
    float t = lower[i];
    lower[i] = upper[i];
    upper[i] = t;
}
