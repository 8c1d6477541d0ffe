// EXPECT: race
// OPTS: --local 8 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: whether a group of eight is one sub-group is the device choice
kernel void k(volatile global atomic_int *a) {
  if (get_group_id(0) == 0) atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_sub_group);
}
