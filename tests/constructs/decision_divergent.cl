__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  if (i < 7 && i != 9) {
    out[i] += 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = i;
  }
}
// Work-item 7 does not reach the barrier with the rest of its group: a finding; how it decided is known all the same.
// range: 8 4
// code: 1-9
// site: function 1 entered |
// site: if 4 true, false |
// site: condition 4 true, false |
// site: condition 4 true | false
// site: decision 4 TT T, F- F | TF F
// site: mcdc 4 1 | 2
// site: barrier 6 covered |
// lines:
// findings: 1
