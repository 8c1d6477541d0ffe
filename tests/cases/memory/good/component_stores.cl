// BUFFER: in float 64 random:4 ro
// BUFFER: quads float4 16 none
// KERNEL: gather_quads
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: quads
// READ: quads
// WHY: each component of an unwritten vector element is stored by itself; a compiler may make that load, insert, store.
__kernel void gather_quads(__global const float *in, __global float4 *quads)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    quads[i].x = in[i];
    quads[i].y = in[i + n];
    quads[i].z = in[i + 2 * n];
    quads[i].w = in[i + 3 * n];
}
