// EXPECT: race
// OPTS: --local 4 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: one of them is in the scope of the work-item alone
kernel void k(volatile local atomic_int *a) {
  if (get_local_id(0) == 0) atomic_store_explicit(a, 1, memory_order_relaxed, memory_scope_work_item);
  else atomic_store_explicit(a, 2, memory_order_relaxed, memory_scope_sub_group);
}
