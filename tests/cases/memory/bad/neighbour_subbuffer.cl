// BUFFER: whole float 128 zeros
// SUB: lower whole 0 64
// SUB: upper whole 64 64
// KERNEL: two_halves
// GLOBAL: 64
// LOCAL: 16
// ARG: lower
// ARG: upper
// READ: whole
// WHY: lower has 64 elements; its element 64 (work-item 63) is the first element of the neighbour sub-buffer, not of lower.
__kernel void two_halves(__global float *lower, __global float *upper)
{
    size_t i = get_global_id(0);
    if (i > 0)
        upper[i] = (float)i;
    lower[i + 1] = (float)i; // ERROR: out-of-bounds
}
