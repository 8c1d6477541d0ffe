__kernel void test(__global int *out, __local int *shared) {
  int l = get_local_id(0);
  shared[l] = l * 2;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int a = shared[3 - l];
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  if (get_group_id(0) == 7)
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = a;
}
// options: -cl-std=CL2.0
// range: 8 4
// args: local 16
// code: 1-10
// site: function 1 entered |
// site: barrier 4 covered |
// site: barrier 6 covered |
// site: if 7 false | true
// site: barrier 8 | covered
// lines: 8
// findings: 0
