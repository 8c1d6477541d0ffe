// EXPECT: clean
// OPTS: --local 16 --groups 2
// OPTS:
// WHY: even work-items store elements 0 and 2 of a vector, odd ones elements 1 and 3.
kernel void interleave(global float4 *z, global const float2 *re, global const float2 *im) {
  const uint i = get_global_id(0);
  if (i & 1) {
    z[i >> 1].odd = im[i >> 1];
  } else {
    z[i >> 1].even = re[i >> 1];
  }
}
