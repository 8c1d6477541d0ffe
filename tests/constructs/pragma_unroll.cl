__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++)
    s += k * i;
  #pragma unroll 2
  while (s > 5) {
    s -= 5;
  }
  if (i == 0) {
#pragma unroll
    for (int k = 0; k < 1; k++) s++;
  }
  out[i] = s;
}
// #pragma unroll right before loops, with and without braces; s = 0, 6, 12, 18 before line 8.
// range: 4 2
// code: 1-3 5-6 8-11 13-16
// site: function 1 entered |
// site: for 5 >1, boundary | 0, 1
// site: while 8 0, 1, >1, boundary |
// site: if 11 true, false |
// site: for 13 1, boundary | 0, >1
// lines:
// findings: 0
