// EXPECT: race
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL3.0
// WHY: memory_scope_work_item makes nothing visible to others
kernel void k(global int *a) {
  local int t[64];
  int l = get_local_id(0);
  for (int i = 0; i < 4; i++) {
    t[l] = i + l;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
    a[get_global_id(0)] = t[63 - l];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  }
}
