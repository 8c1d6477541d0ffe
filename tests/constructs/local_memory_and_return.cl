__kernel void test(__global int *out) {
  __local int a[4];
  int l = get_local_id(0), g = get_group_id(0);
  if (g == 2) return;
  __local int b;
  if (l == 0) b = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = b + l;
  if (g == 1) return;
  while (1) {
    if (l > 1) { out[get_global_id(0)] = a[get_local_id(0)]; return; }
    l++;
  }
  out[0] = 99;
}
// __local variables, one declared late, in a kernel with several returns; code that cannot be reached. Three groups.
// range: 12 4
// code: 1-15
// site: function 1 entered |
// site: if 4 true, false |
// site: if 6 true, false |
// site: barrier 7 covered |
// site: if 9 true, false |
// site: while 10 1, >1 | 0, boundary
// site: if 11 true, false |
// lines: 14
// findings: 0
