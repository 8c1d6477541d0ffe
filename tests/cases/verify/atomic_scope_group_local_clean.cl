// EXPECT: clean
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: local memory is that of the group
kernel void k(global int *out) {
  local atomic_int n;
  if (get_local_id(0) == 0) atomic_init(&n, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_load_explicit(&n, memory_order_relaxed, memory_scope_work_group);
}
