// IMAGE: img 16 16 rgba_f32 random:19:0:1 ro
// BUFFER: out float 324 none wo
// KERNEL: padded
// GLOBAL: 18 18
// LOCAL: 6 6
// ARG: img
// ARG: out
// READ: out
// WHY: coordinates from -1 to 16 leave the image, where CLK_ADDRESS_CLAMP gives the border colour.
__constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void padded(__read_only image2d_t img, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 p = read_imagef(img, border, (int2)(x - 1, y - 1));
    out[y * 18 + x] = p.x + p.y;
}
