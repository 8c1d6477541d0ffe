// BUFFER: in int 64 random:25:0:50 ro
// BUFFER: counts uint 4 zeros
// KERNEL: compact
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: counts
// READ: counts
// WHY: the local counter is incremented without having been set to zero.
__kernel void compact(__global const int *in, __global uint *counts)
{
    __local uint found;
    int v = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > 25)
        atomic_inc(&found); // ERROR: uninitialized-read
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = found;
}
