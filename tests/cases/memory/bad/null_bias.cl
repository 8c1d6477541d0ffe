// BUFFER: in float 32 random:34 ro
// BUFFER: out float 32 none wo
// KERNEL: affine
// GLOBAL: 32
// LOCAL: 16
// ARG: in
// ARG: null
// ARG: out
// READ: out
// WHY: the optional argument bias is null and is read without a test.
__kernel void affine(__global const float *in, __global const float *bias, __global float *out)
{
    size_t i = get_global_id(0);
    float v = 2.0f * in[i];
    v += bias[i]; // ERROR: null-pointer
    out[i] = v;
}
