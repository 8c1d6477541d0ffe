__constant int three = 3;
__kernel void test() {
  if (get_global_id(0) > three)
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
__kernel void test_void(void) {
  for (int k = 0; k < three; k++)
    ;
}
// Kernels without parameters.
// range: 4 2
// code: 2-9
// site: function 2 entered |
// site: if 3 false | true
// site: function 6 entered |
// site: for 7 >1, boundary | 0, 1
// lines: 4
// findings: 0
