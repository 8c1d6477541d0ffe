// EXPECT: possible-ok
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: the flag orders the store and the load; the engine knows nothing of that and may not say race
kernel void k(global int *a, volatile global atomic_int *flag, global int *out) {
  if (get_global_id(0) == 0) {
    a[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) {
    out[get_global_id(0)] = a[0];
  }
}
