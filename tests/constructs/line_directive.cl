__kernel void test(__global int *out) {
  int i = get_global_id(0);
#line 500 "generated.y"
  if (i > 1)
    out[i] = __LINE__;
#line 7
  out[i] += i ? 2 : __LINE__;
}
// #line of a generator: sites stay where they are in this file; __LINE__ is what #line says.
// range: 4 2
// code: 1-2 4-5 7-8
// site: function 1 entered |
// site: if 4 true, false |
// site: conditional 7 true, false |
// lines:
// findings: 0
