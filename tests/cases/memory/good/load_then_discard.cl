// BUFFER: in int 64 none
// BUFFER: out int 64 zeros
// WRITE: in 0 37 ramp
// KERNEL: offset_valid
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// ARG: int 37
// READ: out
// WHY: work-items from 37 on load an unwritten element, then leave without using it.
__kernel void offset_valid(__global const int *in, __global int *out, int n)
{
    int i = get_global_id(0);
    int v = in[i];
    if (i >= n)
        return;
    out[i] = v + 7;
}
