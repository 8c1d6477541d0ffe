// BUFFER: grid float 64 random:14 ro
// BUFFER: out float 64 none wo
// KERNEL: laplace
// GLOBAL: 8 8
// LOCAL: 8 8
// ARG: grid
// ARG: out
// READ: out
// WHY: the helper clamps y, but compares with h instead of h - 1: row 8 of 8 is read.
static float fetch(__global const float *g, int x, int y, int w, int h)
{
    x = clamp(x, 0, w - 1);
    y = clamp(y, 0, h);
    return g[y * w + x]; // ERROR: out-of-bounds
}

__kernel void laplace(__global const float *grid, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    float s = fetch(grid, x - 1, y, w, h) + fetch(grid, x + 1, y, w, h) + fetch(grid, x, y - 1, w, h)
              + fetch(grid, x, y + 1, w, h);
    out[y * w + x] = s - 4.0f * fetch(grid, x, y, w, h);
}
