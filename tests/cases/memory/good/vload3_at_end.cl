// BUFFER: in float 96 random:9 ro
// BUFFER: out float 32 none wo
// KERNEL: luma
// GLOBAL: 32
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the last vload3 ends exactly at the buffer's end; it reads 3 elements, not 4.
__kernel void luma(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float3 c = vload3(i, in);
    out[i] = dot(c, (float3)(0.299f, 0.587f, 0.114f));
}
