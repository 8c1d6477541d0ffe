#define SIZE 4
void fill(__local int *a, __local int *b, int l) {
  a[l] = l;
  b[l] = l > 1 ? 10 : 20;
}
__kernel void test(__global int *out, __local int *given, __local float4 *wide) {
  __local int own[SIZE], other[2 * SIZE];
  __local struct { int x; float y; } record;
  int l = get_local_id(0);
  if (l == 0) record.x = 3;
  wide[l] = (float4)(l);
  fill(own, given, l);
  barrier(CLK_LOCAL_MEM_FENCE);
  other[l] = own[SIZE - 1 - l] + given[SIZE - 1 - l];
  out[get_global_id(0)] = other[l] + record.x + convert_int(wide[l].w);
}
// __local arrays and records of the kernel, __local arguments, passed on to a helper.
// range: 8 4
// args: local 16, local 64
// code: 2-16
// site: function 2 entered |
// site: conditional 4 true, false |
// site: function 6 entered |
// site: if 10 true, false |
// site: barrier 13 covered |
// lines:
// findings: 0
