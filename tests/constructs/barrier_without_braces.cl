__kernel void test(__global int *out, int mode, __local int *shared) {
  int l = get_local_id(0);
  shared[l] = l;
  if (mode)
    barrier(CLK_LOCAL_MEM_FENCE);
  else
    barrier(CLK_GLOBAL_MEM_FENCE);
  for (int k = 0; k < mode; k++)
    barrier(CLK_LOCAL_MEM_FENCE);
  if (mode) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); else shared[l] = 0;
  out[get_global_id(0)] = shared[3 - l];
}
// Barriers under if, else and for without braces; mode is 3 for all.
// range: 8 4
// args: int 3, local 16
// code: 1-12
// site: function 1 entered |
// site: if 4 true | false
// site: barrier 5 covered |
// site: barrier 7 | covered
// site: for 8 >1, boundary | 0, 1
// site: barrier 9 covered |
// site: if 10 true | false
// site: barrier 10 covered |
// lines: 6 7
// findings: 0
