// EXPECT: race
// OPTS: --local 4 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: whether the two are of one sub-group is the device choice
kernel void k(volatile global atomic_int *a) {
  int e = 0;
  if (get_group_id(0) == 0) atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_relaxed, memory_order_relaxed, memory_scope_sub_group);
}
