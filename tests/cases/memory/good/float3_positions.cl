// BUFFER: seed float 48 random:3 ro
// BUFFER: pos float3 16 none
// BUFFER: out float 16 none wo
// KERNEL: place
// GLOBAL: 16
// LOCAL: 16
// ARG: seed
// ARG: pos
// KERNEL: nearest_distance
// GLOBAL: 16
// LOCAL: 16
// ARG: pos
// ARG: out
// ARG: int 16
// READ: out
// WHY: float3 elements are written as such; length() of a float3 does not use the padding.
__kernel void place(__global const float *seed, __global float3 *pos)
{
    size_t i = get_global_id(0);
    pos[i] = vload3(i, seed);
}

__kernel void nearest_distance(__global const float3 *pos, __global float *out, int n)
{
    int i = get_global_id(0);
    float best = MAXFLOAT;
    for (int k = 0; k < n; k++) {
        float3 d = pos[k] - pos[i];
        if (k != i && length(d) < best)
            best = length(d);
    }
    out[i] = best;
}
