// BUFFER: in float 60 random:12 ro
// BUFFER: out float 64 none wo
// KERNEL: staged_copy
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the last group copies in[48..63] of a buffer of 60 elements.
__kernel void staged_copy(__global const float *in, __global float *out)
{
    __local float tile[16];
    size_t first = get_group_id(0) * 16;
    event_t e = async_work_group_copy(tile, in + first, 16, 0); // ERROR: out-of-bounds
    wait_group_events(1, &e);
    size_t l = get_local_id(0);
    out[first + l] = 3.0f * tile[l];
}
