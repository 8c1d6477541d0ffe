// EXPECT: clean
// WHY: vstorea_half3 stores three halves at four times its index. So elements 4 g to 4 g + 2 are the work-item's own, also the one that it reads.
kernel void packed(global const float *in, global half *h, global float *out) {
  const size_t g = get_global_id(0);
  vstorea_half3((float3)(in[g]), g, h);
  out[g] = vload_half(4 * g + 2, h);
}
