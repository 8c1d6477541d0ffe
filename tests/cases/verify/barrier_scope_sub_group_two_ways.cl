// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the scope is that of a sub-group on one of two ways which all of the group take by the argument
kernel void k(global int *out, int n) {
  local int t[16];
  t[get_local_id(0)] = 5 + get_local_id(0);
  if (n > 4) work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  else work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  out[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
