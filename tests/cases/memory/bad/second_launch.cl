// BUFFER: data int 64 ramp
// KERNEL: add_block
// GLOBAL: 32
// LOCAL: 16
// ARG: data
// ARG: int 32
// KERNEL: add_block
// GLOBAL: 32
// LOCAL: 16
// ARG: data
// ARG: int 40
// READ: data
// WHY: the first launch works on 32..63; the second one's offset of 40 leads to 71.
__kernel void add_block(__global int *data, int offset)
{
    int i = offset + (int)get_global_id(0);
    data[i] += 100; // ERROR: out-of-bounds
}
