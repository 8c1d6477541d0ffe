// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: what compare_exchange expects is read and written as plain memory
kernel void k(volatile global atomic_int *a, global int *e) {
  atomic_compare_exchange_strong_explicit(a, e, 5, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
}
