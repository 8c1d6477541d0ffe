int later(int, __global int *);
static int twice(int x);
__kernel void test(__global int *out);
int later(int x, __global int *p);
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = later(i, out) + twice(i);
}
int later(int x, __global int *p) { return x > 1 ? p[x] + 1 : 2; }
static int twice(int x) {
  return x + x;
}
// Declarations before definitions: without names, twice, of the kernel.
// range: 4 2
// code: 5-12
// site: function 5 entered |
// site: function 9 entered |
// site: conditional 9 true, false |
// site: function 10 entered |
// lines:
// findings: 0
