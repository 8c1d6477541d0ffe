int many(int a, int b, int c, int d, int e, int f, int g, int h,
         int k, int l, int m, int n)
{
  return a > b ? c : d + e + f + g + h + k + l + m + n;
}
int redirect(int n) __attribute__((noinline));
int redirect(int n)
{
  return n ? many(n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) : 0;
}
__kernel void
test(__global int *restrict out, const int a, const uint b, const long c, const float d, const char e, const int4 f)
{
  const int i = get_global_id(0);
  out[i] = redirect(i) + a + (int)b + (int)c + (int)d + e + f.y;
}
// Many parameters, over lines, of all sizes; a declaration with an attribute.
// range: 4 2
// args: int 1, int 2, long 3, float 4, char 5, int4 6
// code: 3-5 8-10 13-16
// site: function 1 entered |
// site: conditional 4 true, false |
// site: function 7 entered |
// site: conditional 9 true, false |
// site: function 12 entered |
// lines:
// findings: 0
