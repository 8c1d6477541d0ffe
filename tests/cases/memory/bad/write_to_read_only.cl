// BUFFER: mask int 32 zeros ro
// BUFFER: in int 32 random:37 ro
// BUFFER: out int 32 none wo
// KERNEL: visit
// GLOBAL: 32
// LOCAL: 16
// ARG: mask
// ARG: in
// ARG: out
// READ: out
// WHY: mask is a CL_MEM_READ_ONLY buffer, and the kernel marks what it has visited.
__kernel void visit(__global int *mask, __global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int seen = mask[i];
    out[i] = in[i] + seen;
    if (in[i] > 50)
        mask[i] = 1; // ERROR: read-only
}
