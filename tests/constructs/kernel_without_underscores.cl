kernel void test(global int *out, local int *scratch) {
  int i = get_global_id(0), l = get_local_id(0);
  scratch[l] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  private int other = scratch[get_local_size(0) - 1 - l];
  out[i] = other > 2 ? other : 0;
}
// kernel, global, local, private without underscores.
// range: 8 4
// args: local 16
// code: 1-7
// site: function 1 entered |
// site: barrier 4 covered |
// site: conditional 6 true, false |
// lines:
// findings: 0
