// BUFFER: in int 64 ramp ro
// BUFFER: out int 64 none wo
// KERNEL: right_neighbour
// GLOBAL: 8 8
// LOCAL: 8 8
// ARG: in
// ARG: out
// READ: out
// WHY: tile[y][x + 1] runs over its row, which stays inside of the object but for the last element of the last row: tile[7][8] is outside.
__kernel void right_neighbour(__global const int *in, __global int *out)
{
    __local int tile[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 8 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = tile[y][x + 1]; // ERROR: out-of-bounds
    out[y * 8 + x] = next - tile[y][x];
}
