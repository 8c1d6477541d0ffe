// BUFFER: stage float 128 none
// BUFFER: in float 64 random:12 ro
// KERNEL: upper_half
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: stage
// ARG: int 64
// READ: stage 64 64
// READ: stage 0 64 nosum
// BUFFER: seen int 64 none
// FILL: seen 0 64 0
// READ: seen zeros
// WHY: only the upper half of the buffer is written, and the host looks at that half alone; what it ends with was filled.
__kernel void upper_half(__global const float *in, __global float *stage, int first)
{
    size_t i = get_global_id(0);
    stage[first + i] = in[i] * in[i];
}
