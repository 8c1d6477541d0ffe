#define UNROLL _Pragma("unroll") for
#define NOTE(x) _Pragma("some_tool note") x
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  UNROLL (int k = 0; k < 3; k++)
    out[i] += k;
  _Pragma("unroll 2")
  for (int k = 0; k < i; k++) out[i]++;
  NOTE(if (i > 1) { out[i] += 10; })
}
// _Pragma in macros and before a loop.
// range: 4 2
// code: 3-6 8-10
// site: for 1 >1, boundary | 0, 1
// site: function 3 entered |
// site: for 8 0, 1, >1, boundary |
// site: if 9 true, false |
// lines:
// findings: 0
