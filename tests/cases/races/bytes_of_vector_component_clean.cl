// EXPECT: clean
// RUN: bytes b0:1024 @128:64
// WHY: the first stores element 0, the second reads element 1 and stores element 3.
kernel void bytes(global int4 *v) {
  const size_t i = get_global_id(0);
  if (i & 1) {
    v[i >> 1].w = v[i >> 1].lo.y;
  } else {
    v[i >> 1].even.lo = (int)i + 1;
  }
}
