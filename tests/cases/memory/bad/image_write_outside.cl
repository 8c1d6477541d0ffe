// IMAGE: img 16 8 rgba_f32 zeros wo
// BUFFER: in float 128 random:19 ro
// KERNEL: paint
// GLOBAL: 16 8
// LOCAL: 4 4
// ARG: in
// ARG: img
// READ: img
// WHY: x + 1 is 16 for the last column of an image 16 pixels wide.
__kernel void paint(__global const float *in, __write_only image2d_t img)
{
    int x = get_global_id(0), y = get_global_id(1);
    float v = in[y * 16 + x];
    write_imagef(img, (int2)(x + 1, y), (float4)(v, v, v, 1.0f)); // ERROR: out-of-bounds
}
