__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int4 v = (int4)(i, i + 1, i + 2, i + 3);
  int4 r = v > 3 ? v : -v;
  r = v > 100 ? (int4)(0) : r;
  int2 s = (int2)(-1) ? (int2)(i) : (int2)(9);
  float4 f = isless((float4)(1.0f), (float4)(i)) ? (float4)(1.0f) : (float4)(2.0f);
  out[i] = r.x + r.y + r.z + r.w + s.x + convert_int(f.w);
}
// A vector condition takes a component at a time by its sign: any component counts. i = 0 to 3.
// range: 4 2
// code: 1-9
// site: function 1 entered |
// site: conditional 4 true, false |
// site: conditional 5 false | true
// site: conditional 6 true | false
// site: conditional 7 true, false |
// lines:
// findings: 0
