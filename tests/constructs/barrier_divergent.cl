__kernel void test(__global int *out) {
  int l = get_local_id(0);
  out[get_global_id(0)] = 1;
  if (l < 3) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}
// Three of four work-items reach the barrier on line 5: that is a finding, and not covered.
// range: 8 4
// code: 1-8
// site: function 1 entered |
// site: if 4 true, false |
// site: barrier 5 | covered
// site: barrier 7 covered |
// lines:
// findings: 1
