// EXPECT: race
// RUN: bytes b0:1024 @128:64
// WHY: work-items 2 k and 2 k + 1 share a vector: the first stores .even.lo (element 0), the second reads .lo (elements 0 and 1).
kernel void bytes(global int4 *v) {
  const size_t i = get_global_id(0);
  if (i & 1) {
    v[i >> 1].w = v[i >> 1].lo.x + v[i >> 1].lo.y;
  } else {
    v[i >> 1].even.lo = (int)i + 1;
  }
}
