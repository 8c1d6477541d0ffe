// EXPECT: race
// BUILD: -cl-std=CL2.0
// WHY: with the scope of the work-group two groups race for the counter.
kernel void push(global atomic_int *used, global int *list, int wide) {
  const int t = atomic_fetch_add_explicit(used, 1, memory_order_relaxed, wide ? memory_scope_device : memory_scope_work_group);
  list[t] = get_global_id(0);
}
