__kernel void test(__global int *out) {
  int i = get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 12) out[i] = 1;
  out[i] += i < 7 ? 2 : 3;
}
// 13 work-items, local size chosen by the device.
// range: 13 -
// code: 1-6
// site: function 1 entered |
// site: barrier 3 covered |
// site: if 4 true, false |
// site: conditional 5 true, false |
// lines:
// findings: 0
