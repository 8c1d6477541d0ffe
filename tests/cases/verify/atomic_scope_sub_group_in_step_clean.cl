// EXPECT: clean
// OPTS: --local 8 --groups 2 --warp-sync 8
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the group is one sub-group, as the option says
kernel void k(volatile global atomic_int *a) {
  if (get_group_id(0) == 0) atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_sub_group);
}
