__kernel void other(__global int *out) {
  if (out[0])
    out[0] = out[1] ? 1 : 2;
  for (;;) { break; }
}
__kernel void test(__global int *out) { out[get_global_id(0)] = 1; }
int unused(int x) {
  while (x) x--;
  barrier(CLK_LOCAL_MEM_FENCE);
  switch (x) { case 1: return 1; }
  do return 2; while (x);
}
// A kernel that is never launched and a helper that nothing calls: in the totals, covered by nothing.
// range: 4 2
// code: 1-12
// site: function 1 | entered
// site: if 2 | true, false
// site: conditional 3 | true, false
// site: for 4 | 1, >1
// site: function 6 entered |
// site: function 7 | entered
// site: while 8 | 0, 1, >1, boundary
// site: barrier 9 | covered
// site: switch 10 | case 1, default
// site: do 11 | 1, >1, boundary
// lines: 1 2 3 4 5 7 8 9 10 11 12
// findings: 0
