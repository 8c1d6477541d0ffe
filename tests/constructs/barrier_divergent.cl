__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  if (i < 7) {
    out[i] += 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = i;
  }
}
// Three of the four work-items of group 1 reach the barrier: a finding; group 0 covers it.
// range: 8 4
// code: 1-9
// site: function 1 entered |
// site: if 4 true, false |
// site: barrier 6 covered |
// lines:
// findings: 1
