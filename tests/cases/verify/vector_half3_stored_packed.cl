// EXPECT: race
// WHY: vstore_half3 stores three halves at three times its index: element 6 belongs to work-item 2, and work-item 1 reads it.
kernel void packed(global const float *in, global half *h, global float *out) {
  const size_t g = get_global_id(0);
  vstore_half3((float3)(in[g]), g, h);
  out[g] = vload_half(4 * g + 2, h);
}
