// BUFFER: stage float 64 none
// BUFFER: in float 64 random:29 ro
// BUFFER: out float 64 none wo
// KERNEL: first_pass
// GLOBAL: 32
// LOCAL: 16
// ARG: in
// ARG: stage
// KERNEL: second_pass
// GLOBAL: 64
// LOCAL: 16
// ARG: stage
// ARG: out
// READ: out
// WHY: the first launch fills only 32 of the 64 elements that the second one copies out.
__kernel void first_pass(__global const float *in, __global float *stage)
{
    size_t i = get_global_id(0);
    stage[i] = in[2 * i] + in[2 * i + 1];
}

__kernel void second_pass(__global const float *stage, __global float *out)
{
    size_t i = get_global_id(0);
    out[i] = stage[i] * 0.5f; // ERROR: uninitialized-read
}
