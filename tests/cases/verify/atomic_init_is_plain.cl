// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: initialising is no atomic access
kernel void k(volatile global atomic_int *a) {
  if (get_local_id(0) == 0) atomic_init(a, 0);
  atomic_fetch_add(a, 1);
}
