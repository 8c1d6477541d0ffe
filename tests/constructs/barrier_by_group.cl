__kernel void test(__global int *out) {
  __local int shared[4];
  int l = get_local_id(0);
  shared[l] = l;
  if (get_group_id(0) == 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[3 - l];
  } else if (get_group_id(0) == 0) {
    out[get_global_id(0)] = -1;
    return;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < get_group_id(0); k++) barrier(CLK_LOCAL_MEM_FENCE);
}
// Barriers that whole work-groups skip: no divergence. Three groups.
// range: 12 4
// code: 1-14
// site: function 1 entered |
// site: if 5 true, false |
// site: barrier 6 covered |
// site: if 8 true, false |
// site: barrier 12 covered |
// site: for 13 1, >1, boundary | 0
// site: barrier 13 covered |
// lines:
// findings: 0
