// BUFFER: in float 68 random:35 ro
// BUFFER: out float4 16 none wo
// KERNEL: load_shifted
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: in + 1 is aligned to 4 bytes, a float4 needs 16 (vload4 would be right).
__kernel void load_shifted(__global const float *in, __global float4 *out)
{
    size_t i = get_global_id(0);
    __global const float4 *quads = (__global const float4 *)(in + 1);
    float4 q = quads[i]; // ERROR: misaligned
    out[i] = q;
}
