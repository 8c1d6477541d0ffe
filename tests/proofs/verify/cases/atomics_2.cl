// Atomics of OpenCL C 2.0 and later, of a type of their own.
// expect possible-race explicit
// with {"options": "-cl-std=CL2.0"}
// ask {"local": [64], "groups": [4]}
kernel void explicit(global atomic_int *a, global int *b) {
  const int at = atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);
  b[at] = get_global_id(0);
}

// expect verified load_and_store
// with {"options": "-cl-std=CL2.0"}
// ask {"local": [64], "groups": [4]}
kernel void load_and_store(global atomic_int *a) {
  if (atomic_load_explicit(a, memory_order_relaxed, memory_scope_device) < 10) {
    atomic_store_explicit(a, (int)get_global_id(0), memory_order_relaxed, memory_scope_device);
  }
}

// The scope is the work-group, and two groups do it.
// expect race scope_too_small a[0]
// with {"options": "-cl-std=CL2.0"}
// ask {"local": [64], "groups": [4]}
kernel void scope_too_small(global atomic_int *a) {
  atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_work_group); //! atomic
}

// expect verified scope_in_group
// with {"options": "-cl-std=CL2.0"}
// ask {"local": [64], "groups": [1]}
kernel void scope_in_group(global atomic_int *a) {
  atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_work_group);
}
